// A copy of this checkout to start in: `npm start` as a person runs it, without touching the checkout's own data.

import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const left = new Set(['node_modules', '.git', 'data', 'catalog', 'test', 'load', 'docs']);

/** Copies what a start needs; the installed packages are shared by a link. */
export async function copyCheckout(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const name of await readdir(root))
    if (!left.has(name)) await cp(join(root, name), join(dir, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
}
