// The way back in that docs/accounts.md describes: a token added to the accounts with plain git, under a running server.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashToken } from '#access/token.ts';
import { ensureFirstAccount } from '#entity/first-account.ts';
import { createGitRunner } from '#git/git-runner.ts';
import { silentProcessMonitor } from '#process/process-monitor.ts';
import { openTestAccounts, testContext as ctx } from '#support/account-store.ts';
import { eventually } from '#support/eventually.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

test('a token that plain git pushes into the accounts signs in within a second', async () => {
  await using folder = await createTempDirectory('rescue');
  await using opened = await openTestAccounts(folder.path);
  await ensureFirstAccount(ctx, opened.store, folder.path);
  const monitor = silentProcessMonitor;
  const runner = await createGitRunner(ctx, { monitor, parentEnv: process.env });
  const cwd = join(folder.path, 'rescue');
  const git = (args: string[], at = cwd) => runner.read(ctx, { args, cwd: at, label: 'other' });
  await git(['init', '--quiet', 'rescue'], folder.path);
  await git(['fetch', '--quiet', opened.gitDir, 'refs/warren/accounts']);
  await git(['checkout', '--quiet', 'FETCH_HEAD']);
  const token = `wrn_${'r'.repeat(40)}`;
  const file = join(cwd, 'accounts', 'admin.json');
  const record = JSON.parse(await readFile(file, 'utf8'));
  record.tokens.push({
    id: 'rescue',
    name: 'rescue',
    hash: hashToken(token),
    readOnly: false,
    createdAt: '2026-01-01T00:00:00Z',
  });
  await writeFile(file, JSON.stringify(record));
  await git(['commit', '--quiet', '-am', 'A token for admin']);
  // The runner's own configuration hides internal refs from pushes; a person's git does not.
  const push = ['-c', 'receive.hideRefs=!refs/warren', 'push', '--quiet', opened.gitDir];
  await git([...push, 'HEAD:refs/warren/accounts']);
  const match = await eventually(
    'the token is known',
    () => opened.store.findByTokenHash(hashToken(token)),
    1000,
  );
  expect(match.account).toMatchObject({ name: 'admin', operator: true });
});
