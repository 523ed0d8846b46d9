// A Clock that a test moves by hand.

import type { Clock } from '#kernel/clock.ts';

export type FakeClock = Clock & {
  /** Moves time and runs every timer that falls due, in its order and at its time. */
  advance(byMs: number): void;
  /** Timers that have neither run nor been cancelled. */
  readonly pending: number;
};

type Entry = { readonly at: number; readonly run: () => void };

export function createFakeClock(startMs = 1_700_000_000_000): FakeClock {
  let elapsedMs = 0;
  const timers = new Set<Entry>();
  function nextDue(untilMs: number): Entry | undefined {
    let first: Entry | undefined;
    for (const entry of timers) {
      if (entry.at <= untilMs && (first === undefined || entry.at < first.at)) first = entry;
    }
    return first;
  }
  return {
    now: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    after(delayMs, run) {
      const entry = { at: elapsedMs + Math.max(0, delayMs), run };
      timers.add(entry);
      return { cancel: () => void timers.delete(entry) };
    },
    advance(byMs) {
      const untilMs = elapsedMs + byMs;
      for (let due = nextDue(untilMs); due !== undefined; due = nextDue(untilMs)) {
        timers.delete(due);
        elapsedMs = due.at;
        due.run();
      }
      elapsedMs = untilMs;
    },
    get pending() {
      return timers.size;
    },
  };
}
