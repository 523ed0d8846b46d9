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

  constructor(clock: Clock, lifeMs: number) {
    this.#clock = clock;
    this.#lifeMs = lifeMs;
  }

  /** @param owner the connection: it holds one claim at most. */
  add(owner: object): void {
    this.#expiryByOwner.delete(owner);
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
    const oldest = this.#expiryByOwner.has(owner) ? owner : this.#expiryByOwner.keys().next().value;
    return oldest !== undefined && this.drop(oldest);
  }

  outstanding(): number {
    const nowMs = this.#clock.monotonicMs();
    for (const [owner, expiryMs] of this.#expiryByOwner) {
      if (expiryMs > nowMs) break;
      this.#expiryByOwner.delete(owner);
    }
    return this.#expiryByOwner.size;
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
