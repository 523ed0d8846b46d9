// Makes the data directory ready: there, writable, locked, and free of what a crash left behind.

import { mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errnoOf, ForgeError } from '#kernel/forge-error.ts';
import type { Log } from '#kernel/log.ts';
import type { ServiceName } from '#kernel/settings.ts';
import { scratchDirectory } from '#git/repository-layout.ts';
import { stopOrphans } from '#process/orphans.ts';
import { lockDataDirectory } from '#entry/data-lock.ts';

export type DataDirectory = Disposable & {
  /** Absolute, without symbolic links. */
  readonly path: string;
};

/** @throws DATA_DIR_UNUSABLE naming the directory and what is wrong; DATA_DIR_LOCKED. */
export async function openDataDirectory(
  wanted: string,
  services: readonly ServiceName[],
  log: Log,
): Promise<DataDirectory> {
  const path = await makeWritable(wanted);
  const lock = lockDataDirectory(path, services);
  // Children belong to transport and metadata; a pages container that restarts must not end theirs.
  if (services.includes('transport')) {
    await stopOrphans(path, log);
    await rm(scratchDirectory(path), { recursive: true, force: true });
  }
  return { path, [Symbol.dispose]: () => lock[Symbol.dispose]() };
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the volume is full',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file, not a folder',
  ENOENT: 'no folder can be made there',
};

async function makeWritable(wanted: string): Promise<string> {
  try {
    await makeFolders(resolve(wanted));
    const path = await realpath(wanted);
    const probe = join(path, '.writable');
    const handle = await open(probe, 'w');
    try {
      // A full disk takes an empty file, but not its content.
      await handle.writeFile(Buffer.alloc(4096));
      await handle.sync();
    } finally {
      await handle.close();
      await rm(probe, { force: true });
    }
    return path;
  } catch (cause) {
    const errno = errnoOf(cause) ?? 'unknown';
    const sentence = `${wanted}: ${reasons[errno] ?? errno}; set WARREN_DATA_DIR to a folder that can be written`;
    throw new ForgeError('DATA_DIR_UNUSABLE', { sentence }, { cause });
  }
}

/** One by one: Node's recursive mkdir never ends where the system has no folder to give, such as under /proc. */
async function makeFolders(path: string): Promise<void> {
  const parent = dirname(path);
  try {
    await mkdir(path, { mode: 0o750 });
  } catch (error) {
    if (errnoOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (errnoOf(error) !== 'ENOENT' || parent === path || (await isFolder(parent))) throw error;
    await makeFolders(parent);
    await mkdir(path, { mode: 0o750 });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
