// Files that are there whole or not at all, also after a power cut: temporary file, fsync, rename, fsync of the folder.

import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes what was renamed or removed in the folder durable. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes and syncs a file that must not exist yet; it is gone again when that fails. */
export async function writeSynced(path: string, text: string, mode = 0o666): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Replaces a file that only this user may read (0600). One writer at a time: the temporary file has a fixed name. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  // One that a crash left may have another mode.
  await rm(temporary, { force: true });
  await writeSynced(temporary, text, 0o600);
  await rename(temporary, path);
  await syncDirectory(dirname(path));
}
