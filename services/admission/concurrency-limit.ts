// Counts the permits of one concurrency limit, over all or per key, and integrates their use over time.
// Gates decide; this only counts. Must stay true: inUse equals the permits not yet released, and a key
// that holds nothing is not in the map.

import type { Clock } from '#kernel/clock.ts';
import type { ClientClass } from '#model/client-class.ts';
import type { AdmissionRequest } from '#admission/admission-request.ts';
import type { ConcurrencyDefinition } from '#admission/define-limit.ts';
import type { LimitMode } from '#admission/limit-monitor.ts';

export type LimitKey = { readonly key: string; readonly slots: number };

export type ConcurrencyLimitOptions = {
  readonly definition: ConcurrencyDefinition;
  readonly slots: number;
  readonly mode: LimitMode;
  readonly clock: Clock;
  /** The share the request falls under; undefined when this limit does not concern it. */
  readonly keyOf: (request: AdmissionRequest) => LimitKey | undefined;
};

type Share = { used: number; slots: number; isFull: boolean };

export class ConcurrencyLimit {
  readonly definition: ConcurrencyDefinition;
  readonly slots: number;
  readonly mode: LimitMode;
  readonly keyOf: (request: AdmissionRequest) => LimitKey | undefined;
  readonly #clock: Clock;
  readonly #byKey = new Map<string, Share>();
  readonly #byClass = new Map<ClientClass, number>();
  readonly #onRelease = new Set<() => void>();
  #total = 0;
  #fullKeys = 0;
  #integratedAtMs: number;
  #slotMs = 0;
  #saturatedMs = 0;
  #meanHoldMs = 1000;

  constructor(options: ConcurrencyLimitOptions) {
    this.definition = options.definition;
    this.slots = options.slots;
    this.mode = options.mode;
    this.keyOf = options.keyOf;
    this.#clock = options.clock;
    this.#integratedAtMs = options.clock.monotonicMs();
  }

  get inUse(): number {
    return this.#total;
  }

  get trackedKeys(): number {
    return this.#byKey.size;
  }

  /** Of recent holds, exponentially weighted: what Retry-After is computed from. */
  get meanHoldMs(): number {
    return this.#meanHoldMs;
  }

  inUseBy(clientClass: ClientClass): number {
    return this.#byClass.get(clientClass) ?? 0;
  }

  /** Slot-seconds used and seconds at the bound since the start. */
  integrals(): { slotSeconds: number; saturatedSeconds: number } {
    this.#integrate();
    return { slotSeconds: this.#slotMs / 1000, saturatedSeconds: this.#saturatedMs / 1000 };
  }

  /** True when the request could take a slot now, or does not fall under this limit. */
  isFree(request: AdmissionRequest): boolean {
    const share = this.keyOf(request);
    if (share === undefined) return true;
    return (this.#byKey.get(share.key)?.used ?? 0) < share.slots;
  }

  /**
   * Takes a slot without asking (the gate has asked); returns what gives it back, once. Who gives back tells it by
   * `released`, after all limits of the permit have been given back.
   */
  take(request: AdmissionRequest): (() => void) | undefined {
    const share = this.keyOf(request);
    if (share === undefined) return undefined;
    this.#integrate();
    const entry = this.#byKey.get(share.key) ?? { used: 0, slots: share.slots, isFull: false };
    this.#byKey.set(share.key, entry);
    entry.slots = share.slots;
    this.#use(entry, 1);
    this.#count(request.class, 1);
    const takenAtMs = this.#clock.monotonicMs();
    return () => {
      this.#integrate();
      this.#use(entry, -1);
      if (entry.used === 0) this.#byKey.delete(share.key);
      this.#count(request.class, -1);
      this.#meanHoldMs += 0.1 * (this.#clock.monotonicMs() - takenAtMs - this.#meanHoldMs);
    };
  }

  /** Tells the gates that share this limit that a slot has come back. */
  released(): void {
    for (const listener of this.#onRelease) listener();
  }

  /** Calls the listener after each release: gates let their queue move on. */
  onRelease(listener: () => void): void {
    this.#onRelease.add(listener);
  }

  /** The bound of a repository may change while it is used, so fullness is kept, not derived from one number. */
  #use(share: Share, by: 1 | -1): void {
    share.used += by;
    const isFull = share.used >= share.slots;
    if (isFull !== share.isFull) this.#fullKeys += isFull ? 1 : -1;
    share.isFull = isFull;
  }

  #count(clientClass: ClientClass, by: 1 | -1): void {
    this.#total += by;
    this.#byClass.set(clientClass, this.inUseBy(clientClass) + by);
  }

  #integrate(): void {
    const nowMs = this.#clock.monotonicMs();
    const passedMs = nowMs - this.#integratedAtMs;
    this.#slotMs += passedMs * this.#total;
    if (this.#fullKeys > 0) this.#saturatedMs += passedMs;
    this.#integratedAtMs = nowMs;
  }
}
