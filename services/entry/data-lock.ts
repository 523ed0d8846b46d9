// A lock on the data directory that dies with its holder, however it dies: an exclusive transaction on an SQLite file
// (Node has no flock, and SQLite takes the kernel's lock). One lock for each service, so that the containers of a pod
// may share the directory while two servers of the same service may not.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ForgeError } from '#kernel/forge-error.ts';
import type { ServiceName } from '#kernel/settings.ts';

/** @throws DATA_DIR_LOCKED when another process holds one of them. */
export function lockDataDirectory(dataDir: string, services: readonly ServiceName[]): Disposable {
  const folder = join(dataDir, 'lock');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const held: DatabaseSync[] = [];
  const release = () => {
    for (const database of held) database.close();
  };
  for (const service of services) {
    const database = new DatabaseSync(join(folder, `${service}.lock`));
    held.push(database);
    try {
      database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    } catch (cause) {
      release();
      const sentence = `${dataDir} is served by another process (service ${service}); stop it, or set WARREN_DATA_DIR to another folder`;
      throw new ForgeError('DATA_DIR_LOCKED', { sentence }, { cause });
    }
  }
  return { [Symbol.dispose]: release };
}
