// Watches a server's limit from its own metrics while load runs: the highest reading is what must never pass the limit.

import { setTimeout as sleep } from 'node:timers/promises';
import { type LimitReading, readLimits } from '#load/server/limit-metrics.ts';

export type LimitWatch = {
  readonly readings: number;
  readonly mostInUse: number;
  readonly meanInUse: number;
};

export type LimitWatcher = { stop(): Promise<LimitWatch> };

/** Scrapes every `intervalMs` until stopped; a failed scrape makes stop() throw, for it hides a reading. */
export function watchLimit(adminUrl: string, intervalMs = 200): LimitWatcher {
  const readings: LimitReading[] = [];
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      readings.push(await readLimits(adminUrl));
      await sleep(intervalMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  // Thrown by stop(); until then it is not unhandled.
  watching.catch(() => undefined);
  return {
    async stop() {
      over.abort();
      await watching;
      const inUse = readings.map(({ slotsInUse }) => slotsInUse);
      return {
        readings: inUse.length,
        mostInUse: Math.max(...inUse),
        meanInUse: inUse.reduce((sum, value) => sum + value, 0) / inUse.length,
      };
    },
  };
}
