// What everything that waits takes as its first parameter. Never stored in a field; derived, not changed.

import type { Log } from '#kernel/log.ts';

export type Context = {
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
  readonly log: Log;
};

/** The same context under a narrower signal. */
export function withSignal(ctx: Context, signal: AbortSignal): Context {
  return { ...ctx, signal };
}
