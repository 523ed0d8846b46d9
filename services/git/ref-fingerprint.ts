// Tells cheaply whether the refs of a repository may have changed, whoever changed them: the times of the files and
// directories that every ref update renames something in. No process, a handful of stats.

import { readdir } from 'node:fs/promises';
import { statSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { orIfAbsent } from '#kernel/or-if-absent.ts';

export type RefFingerprint = {
  readonly directories: readonly string[];
  readonly text: string;
  /** The newest change seen, in ms since the epoch: within the clock's grain of now it proves nothing. */
  readonly newestMs: number;
};

/** File times have the grain of the kernel's tick; this is well above it. */
export const racyMs = 20;

/** Reads the fingerprint and finds the ref directories anew. */
export async function takeFingerprint(gitDir: string): Promise<RefFingerprint> {
  const directories = ['refs', ...(await subdirectories(gitDir, 'refs'))];
  return fingerprintOf(gitDir, directories);
}

/**
 * The fingerprint over known directories: a new one changes its parent, so it cannot be missed.
 * Synchronous: a few stats cost less than the way through the thread pool.
 */
export function fingerprintOf(gitDir: string, directories: readonly string[]): RefFingerprint {
  const parts: string[] = [];
  let newestMs = 0;
  for (const name of ['HEAD', 'packed-refs', 'reftable/tables.list', ...directories]) {
    const found = statIfThere(join(gitDir, name));
    if (found === undefined) {
      parts.push('-');
      continue;
    }
    parts.push(`${found.mtimeNs}.${found.ino}.${found.size}`);
    newestMs = Math.max(newestMs, Number(found.mtimeNs / 1_000_000n));
  }
  return { directories, text: parts.join(' '), newestMs };
}

function statIfThere(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

async function subdirectories(gitDir: string, under: string): Promise<string[]> {
  const found: string[] = [];
  // A folder may be removed by a ref deletion just now.
  const listing = readdir(join(gitDir, under), { withFileTypes: true });
  for (const entry of await orIfAbsent(listing, [])) {
    if (!entry.isDirectory()) continue;
    const path = `${under}/${entry.name}`;
    found.push(path, ...(await subdirectories(gitDir, path)));
  }
  return found;
}
