// `30d`, `12h` or `2027-01-31` as the time the API takes. Pure.

import { parseDurationMs } from '#kernel/units.ts';

/** Years after which a date is a mistake rather than a wish. */
const maxYears = 100;

/** An ISO time after `nowMs`; undefined when the text is none. */
export function readExpiry(text: string, nowMs: number): string | undefined {
  const durationMs = parseDurationMs(text);
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z)?$/.test(text);
  const atMs =
    durationMs === undefined ? (isDate ? Date.parse(text) : Number.NaN) : nowMs + durationMs;
  const latestMs = nowMs + maxYears * 366 * 86_400_000;
  return atMs > nowMs && atMs < latestMs ? new Date(atMs).toISOString() : undefined;
}
