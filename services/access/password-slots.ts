// How many passwords are hashed at once: scrypt runs on the thread pool that file reads need too, and takes
// 32 MiB each. A flood of sign-ins waits here, in order, and past the queue's end is refused.

import { onAbort } from '#kernel/abort.ts';
import type { Context } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';

export type PasswordSlots = {
  /**
   * Runs `work` in a slot.
   * @throws LIMIT_REACHED when too many wait already; the signal's reason when aborted while waiting.
   */
  run<T>(ctx: Context, work: () => Promise<T>): Promise<T>;
};

/** @param slots at most this many at once: below the thread pool's four, so that files stay readable. */
export function createPasswordSlots(slots = 2, maxWaiting = 64): PasswordSlots {
  let running = 0;
  const waiting: (() => void)[] = [];

  function enter(ctx: Context): Promise<void> | undefined {
    if (running < slots) {
      running++;
      return undefined;
    }
    if (waiting.length >= maxWaiting) {
      throw new ForgeError('LIMIT_REACHED', { limit: 'password_checks', retryAfterSeconds: 1 });
    }
    return new Promise((resolve, reject) => {
      const turn = () => {
        listening[Symbol.dispose]();
        resolve();
      };
      waiting.push(turn);
      const listening = onAbort(ctx.signal, (reason) => {
        const at = waiting.indexOf(turn);
        if (at >= 0) waiting.splice(at, 1);
        reject(reason instanceof Error ? reason : new ForgeError('CANCELLED'));
      });
    });
  }

  return {
    async run(ctx, work) {
      ctx.signal.throwIfAborted();
      await enter(ctx);
      try {
        return await work();
      } finally {
        // The slot is handed on, not freed, so that nobody overtakes the queue.
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
