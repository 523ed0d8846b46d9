// A plain counting semaphore, first come, first served: bounds work inside the program. What clients may be refused
// for is a limit of services/admission instead.

import { onAbort } from '#kernel/abort.ts';

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Runs `work` when a slot is free; rejects with the signal's reason when it aborts while waiting. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#acquire(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const enter = () => resolve(undefined);
    this.#waiting.push(enter);
    const listening = onAbort(signal, (reason) => {
      const at = this.#waiting.indexOf(enter);
      if (at < 0) return; // The slot is ours already; run() gives it back.
      this.#waiting.splice(at, 1);
      reject(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
    });
    try {
      await promise;
    } finally {
      listening[Symbol.dispose]();
    }
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
