// Removes what a crash left behind, at start, while the data directory's lock is held and no git runs in it:
// quarantine folders, temporary packs, their .keep files and ref locks. Must never run beside git children.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '#kernel/forge-error.ts';

const leftovers: readonly (readonly [folder: string, name: RegExp])[] = [
  ['objects', /^(incoming-|tmp_objdir-)/],
  ['objects/pack', /^(tmp_|\.tmp-)|\.keep$/],
  ['objects', /^tmp_obj_/],
  ['.', /^(HEAD|packed-refs|config|shallow)\.(lock|new)$/],
  ['reftable', /\.lock$/],
];

/** @returns the paths it removed. */
export async function sweepLeftovers(gitDir: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const [folder, name] of leftovers) {
    for (const entry of await namesIn(join(gitDir, folder))) {
      if (!name.test(entry.name)) continue;
      const path = join(gitDir, folder, entry.name);
      await rm(path, { recursive: true, force: true });
      removed.push(path);
    }
  }
  await sweepLocks(join(gitDir, 'refs'), removed);
  return removed;
}

async function sweepLocks(directory: string, removed: string[]): Promise<void> {
  for (const entry of await namesIn(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      await sweepLocks(path, removed);
    } else if (entry.name.endsWith('.lock')) {
      await rm(path, { force: true });
      removed.push(path);
    }
  }
}

async function namesIn(path: string): Promise<{ name: string; isDirectory(): boolean }[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
