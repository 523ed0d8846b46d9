// Runs one piece of work at a time, in the order asked. The account store has one, so that a read of the repository
// never overtakes a write into it.

import type { Context } from '#kernel/context.ts';

export type SerialQueue = {
  /** Work whose caller has gone before its turn is not begun; work that has begun is never cut short. */
  run<T>(ctx: Context, work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>;
};

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(ctx, work) {
      const turn = last.then(() => {
        ctx.signal.throwIfAborted();
        return work();
      });
      last = turn.catch(() => {}); // The caller has the error; the next in line must run all the same.
      return turn;
    },
    async idle() {
      await last;
    },
  };
}
