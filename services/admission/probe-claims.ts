// Clients that were let past info/refs and may come with a fetch: not a reservation, only a count that keeps a
// burst of probes from overrunning the queue behind them (docs/adr/0002). A claim ends with its fetch, with its
// connection, when the client shows it will not fetch, or after a short while.

import type { Clock } from '#kernel/clock.ts';

export class ProbeClaims {
  readonly #clock: Clock;
  readonly #lifeMs: number;
  /** Insertion order is age, so the oldest come first. */
  readonly #expiryByOwner = new Map<object, number>();
  readonly #waiting = new Set<() => void>();
  /** What a connection did after its last probe. */
  readonly #probed = new WeakMap<object, 'listed' | 'fetched'>();

  constructor(clock: Clock, lifeMs: number) {
    this.#clock = clock;
    this.#lifeMs = lifeMs;
  }

  /**
   * @param owner the connection: it holds one claim at most, and none from its second probe without a fetch in between
   * on: who only ever lists (a poller behind a proxy that keeps connections) must hold nobody up.
   */
  add(owner: object): void {
    const hasFetched = this.#probed.get(owner) === 'fetched';
    if (this.#probed.has(owner) && !hasFetched) {
      this.drop(owner);
      return;
    }
    this.#probed.set(owner, 'listed');
    this.#expiryByOwner.set(owner, this.#clock.monotonicMs() + this.#lifeMs);
  }

  drop(owner: object): boolean {
    const had = this.#expiryByOwner.delete(owner);
    if (had) this.changed();
    return had;
  }

  /**
   * A fetch has come: its own claim ends, or the oldest when it came over another connection (a proxy's).
   * @returns whether there was one.
   */
  redeem(owner: object): boolean {
    this.#probed.set(owner, 'fetched');
    const oldest = this.#expiryByOwner.has(owner) ? owner : this.#expiryByOwner.keys().next().value;
    return oldest !== undefined && this.drop(oldest);
  }

  /** @param besides a connection whose own claim does not stand in its way. */
  outstanding(besides?: object): number {
    const nowMs = this.#clock.monotonicMs();
    for (const [owner, expiryMs] of this.#expiryByOwner) {
      if (expiryMs > nowMs) break;
      this.#expiryByOwner.delete(owner);
    }
    const own = besides !== undefined && this.#expiryByOwner.has(besides) ? 1 : 0;
    return this.#expiryByOwner.size - own;
  }

  /** Wakes those who wait for a change of claims or slots. */
  changed(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Resolves at the next change, or after `withinMs`. */
  nextChange(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = this.#clock.after(withinMs, wake);
      this.#waiting.add(wake);
    });
  }
}
