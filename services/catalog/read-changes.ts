// What changed in the catalog directory since it was last read. Called by directory-catalog.ts, one read at a time.
// Must stay true: a file that an editor has just emptied or moved away for a moment is not taken for removed.

import type { Clock } from '#kernel/clock.ts';
import type { FileReading } from '#catalog/catalog-memory.ts';
import { listManifests, readManifest } from '#catalog/read-directory.ts';
import type { Listing } from '#catalog/read-directory.ts';

export type Changes = {
  readonly listing: Listing;
  readonly readings: ReadonlyMap<string, FileReading>;
  /** True when a file seems to be on its way out: read again soon. */
  readonly isUnsettled: boolean;
  /** What looking costs when nothing has changed. */
  readonly listedMs: number;
};

export type ChangeReader = {
  /** @param isServing whether the file holds objects, so that losing it matters. */
  read(isServing: (file: string) => boolean): Promise<Changes>;
};

/** @param settleMs how long a serving file must be missing or empty before that is believed. */
export function createChangeReader(
  directory: string,
  { clock, settleMs }: { readonly clock: Clock; readonly settleMs: number },
): ChangeReader {
  const marks = new Map<string, string | undefined>();
  const vanishingSinceMs = new Map<string, number>();

  function isSettled(file: string): boolean {
    const nowMs = clock.monotonicMs();
    const sinceMs = vanishingSinceMs.get(file) ?? nowMs;
    vanishingSinceMs.set(file, sinceMs);
    return nowMs - sinceMs >= settleMs;
  }

  function isUnchanged(file: string, mark: string | undefined): boolean {
    return mark !== undefined && marks.get(file) === mark;
  }

  return {
    async read(isServing) {
      const startedMs = clock.monotonicMs();
      const listing = await listManifests(directory);
      const listedMs = clock.monotonicMs() - startedMs;
      const readings = new Map<string, FileReading>();
      // A folder that cannot be read takes nothing away.
      if (listing.kind === 'unreadable') {
        return { listing, readings, listedMs, isUnsettled: false };
      }
      const files = listing.kind === 'listed' ? listing.files : new Map<string, string>();
      const missing = [...marks.keys()].filter((file) => !files.has(file));
      const changed = [...files].filter(([file, mark]) => !isUnchanged(file, mark));
      for (const file of vanishingSinceMs.keys()) {
        if (isUnchanged(file, files.get(file))) vanishingSinceMs.delete(file);
      }
      for (const file of missing) readings.set(file, { kind: 'gone' });
      for (const [file] of changed) readings.set(file, await readManifest(directory, file));
      for (const [file, reading] of readings) {
        if (!isLoss(reading)) vanishingSinceMs.delete(file);
        else if (isServing(file) && !isSettled(file)) {
          readings.delete(file);
          continue;
        }
        if (reading.kind === 'gone') marks.delete(file);
        else marks.set(file, files.get(file));
        vanishingSinceMs.delete(file);
      }
      return { listing, readings, listedMs, isUnsettled: vanishingSinceMs.size > 0 };
    },
  };
}

function isLoss(reading: FileReading): boolean {
  return reading.kind === 'gone' || (reading.kind === 'text' && reading.text.trim() === '');
}
