// Token buckets by key: so many a second with a burst. The map is bounded; the longest idle key goes first,
// which at worst gives that client a full bucket again.

import type { Clock } from '#kernel/clock.ts';
import type { RateDefinition } from '#admission/define-limit.ts';
import type { LimitMode, LimitMonitor } from '#admission/limit-monitor.ts';
import type { Refusal } from '#admission/refusal.ts';
import type { ClientClass } from '#model/client-class.ts';

export const maxTrackedKeys = 10_000;

type Bucket = { tokens: number; filledAtMs: number };

export type RateLimitOptions = {
  readonly definition: RateDefinition;
  readonly perSecond: number;
  readonly burst: number;
  readonly mode: LimitMode;
  readonly monitor: LimitMonitor;
  readonly clock: Clock;
};

export class RateLimit {
  readonly options: RateLimitOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: RateLimitOptions) {
    this.options = options;
  }

  get trackedKeys(): number {
    return this.#buckets.size;
  }

  /** Takes a token, or returns the refusal with the seconds until the next one. */
  take(clientKey: string, clientClass: ClientClass): Refusal | undefined {
    const { definition, perSecond, burst, mode, monitor, clock } = this.options;
    const nowMs = clock.monotonicMs();
    const before = this.#buckets.get(clientKey) ?? { tokens: burst, filledAtMs: nowMs };
    const refilled = ((nowMs - before.filledAtMs) / 1000) * perSecond;
    const tokens = Math.min(burst, before.tokens + refilled);
    this.#buckets.delete(clientKey);
    this.#buckets.set(clientKey, { tokens: Math.max(0, tokens - 1), filledAtMs: nowMs });
    this.#evict();
    if (tokens >= 1) {
      monitor.admitted(definition.name, clientClass);
      return undefined;
    }
    this.#buckets.set(clientKey, { tokens, filledAtMs: nowMs });
    monitor.refused(definition.name, clientClass, 'rate', mode);
    if (mode === 'shadow') return undefined;
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - tokens) / perSecond));
    return {
      kind: 'refused',
      limit: definition.name,
      scope: definition.scope,
      reason: 'rate',
      retryAfterSeconds,
      sentence: `${definition.bounds} are limited to ${perSecond} a second (${definition.name}); try again in ${retryAfterSeconds} s`,
    };
  }

  #evict(): void {
    if (this.#buckets.size <= maxTrackedKeys) return;
    const longestIdle = this.#buckets.keys().next().value;
    if (longestIdle !== undefined) this.#buckets.delete(longestIdle);
  }
}
