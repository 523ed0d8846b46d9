// What a refusal says, the same on every edge: limit, reason, when to retry, one sentence. Pure.
// It is counted by the limiter that made it, never by an HTTP status (a refusal may look like 200).

import type { LimitDefinition, RefusalReason } from '#admission/define-limit.ts';

export type Refusal = {
  readonly kind: 'refused';
  readonly limit: string;
  readonly scope: LimitDefinition['scope'];
  readonly reason: RefusalReason;
  readonly retryAfterSeconds: number;
  readonly sentence: string;
};

/** Retry-After: how long until the queue has passed, 1–60 s, ± 25 % so that clients do not return together. */
export function planRetryAfter(load: {
  readonly waiting: number;
  readonly meanHoldMs: number;
  readonly slots: number;
  readonly random: number;
}): number {
  const seconds = ((load.waiting + 1) * load.meanHoldMs) / load.slots / 1000;
  const clamped = Math.min(60, Math.max(1, seconds));
  return Math.max(1, Math.round(clamped * (0.75 + 0.5 * load.random)));
}

/** The headers of a refused HTTP request. */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  return {
    'retry-after': String(refusal.retryAfterSeconds),
    'x-warren-limit': `${refusal.limit};reason=${refusal.reason}`,
    'cache-control': 'no-store',
  };
}

/** 429 on git routes and for a client's own share or rate; 503 for a shared limit on pages and API. */
export function refusalStatus(refusal: Refusal, surface: 'git' | 'web'): 429 | 503 {
  if (refusal.reason === 'shutdown') return 503;
  return surface === 'git' || refusal.scope === 'client' ? 429 : 503;
}
