// Hints that the catalog directory may have changed, from the filesystem's own events where it has them.
// Only hints: directory-catalog.ts also looks by itself, for filesystems without events and directories made later.

import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';

export type DirectoryWatch = {
  /** Attaches to the directory that has this identity now; undefined when there is none. */
  follow(identity: string | undefined): void;
  close(): void;
};

/** @param hint called for each event, often several times for one change. */
export function watchDirectory(directory: string, hint: () => void): DirectoryWatch {
  let watcher: FSWatcher | undefined;
  let followed: string | undefined;
  const detach = () => {
    watcher?.close();
    watcher = undefined;
    followed = undefined;
  };
  return {
    follow(identity) {
      if (identity === followed) return;
      detach();
      if (identity === undefined) return;
      followed = identity;
      try {
        watcher = watch(directory, { persistent: false }, hint);
        watcher.on('error', detach);
      } catch {
        // No events to be had (no such feature, no watches left, gone again): looking by itself must do.
      }
    },
    close: detach,
  };
}
