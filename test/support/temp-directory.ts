// A directory of its own for one test, removed with everything in it when the test leaves its scope.

import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf } from '#kernel/forge-error.ts';

export type TempDirectory = AsyncDisposable & { readonly path: string };

/** Use it as `await using folder = await createTempDirectory()`. */
export async function createTempDirectory(name = 'test'): Promise<TempDirectory> {
  const path = await realpath(await mkdtemp(join(tmpdir(), `warren-${name}-`)));
  return { path, [Symbol.asyncDispose]: () => removeDirectory(path) };
}

/** Removes the tree, also where a test (or git) made folders read-only. */
export async function removeDirectory(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch (error) {
    if (errnoOf(error) !== 'EACCES' && errnoOf(error) !== 'EPERM') throw error;
    await makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function makeWritable(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(path, entry.name));
  }
}
