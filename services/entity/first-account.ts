// The first start of a data directory: account `admin`, an operator, and its token in the file admin-token. Called by
// entry before it says ready. Must stay true: nothing is made when there is any account, even if the file was lost.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Context } from '#kernel/context.ts';
import { writePrivateFile } from '#kernel/durable-file.ts';
import { generateToken } from '#access/token.ts';
import type { AccountStore } from '#entity/account-store.ts';

export type FirstAccount =
  | { readonly kind: 'made'; readonly token: string; readonly file: string }
  | { readonly kind: 'exists' };

/**
 * The file comes before the account: a crash between the two leaves a token of nobody, which the next start replaces.
 * The other way round it could leave an operator whose token nobody has.
 */
export async function ensureFirstAccount(
  ctx: Context,
  store: AccountStore,
  dataDir: string,
): Promise<FirstAccount> {
  if (!store.isEmpty()) return { kind: 'exists' };
  const token = generateToken(randomBytes);
  const file = join(dataDir, 'admin-token');
  await writePrivateFile(file, `${token}\n`);
  const added = await store.addFirstAccount(ctx, 'admin', token);
  return added.kind === 'done' ? { kind: 'made', token, file } : { kind: 'exists' };
}
