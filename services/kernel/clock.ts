// Time as an argument: everything that waits or stamps takes a Clock, so tests move time by hand.

export type Timer = { cancel(): void };

export type Clock = {
  /** Wall clock in milliseconds since the epoch: for stamps people read. */
  now(): number;
  /** Monotonic milliseconds: for every duration and deadline. */
  monotonicMs(): number;
  after(delayMs: number, run: () => void): Timer;
};

/** The machine's clock. Timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
