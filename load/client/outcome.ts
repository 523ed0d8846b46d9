// What became of one operation of a load client, and the sum of many; the generator sends the sum to the bench.

export type Outcome =
  | { readonly kind: 'ok'; readonly durationMs: number; readonly packBytes: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'failed'; readonly reason: string };

/** A 429 or 503 at info/refs. Anything that refuses later is a failure: it was admitted. */
export type Refusal = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly limit: string | undefined;
  readonly cacheControl: string | undefined;
  readonly text: string;
};

export type LoadResult = {
  readonly elapsedMs: number;
  readonly durationsMs: readonly number[];
  readonly packBytes: number;
  readonly refusals: number;
  /** Refusals by `X-Warren-Limit`. */
  readonly refusalsByLimit: Readonly<Record<string, number>>;
  /** What is wrong with refusals, a few examples. */
  readonly malformed: readonly string[];
  readonly malformedCount: number;
  readonly failures: number;
  readonly failureReasons: Readonly<Record<string, number>>;
};

/** What is wrong with a refusal by the contract, or undefined. */
export function refusalFault({
  status,
  retryAfter,
  limit,
  cacheControl,
}: Refusal): string | undefined {
  if (status !== 429) return `status ${status} instead of 429`;
  if (!/^[1-9]\d*$/.test(retryAfter ?? '')) return `Retry-After ${retryAfter ?? 'missing'}`;
  if (!/^[a-z_]+;\s?reason=[a-z_]+$/.test(limit ?? ''))
    return `X-Warren-Limit ${limit ?? 'missing'}`;
  if (cacheControl !== 'no-store') return `Cache-Control ${cacheControl ?? 'missing'}`;
  return undefined;
}

const keptExamples = 10;

/** Adds outcomes up; `finish` gives the sum. */
export function createTally(): {
  add(outcome: Outcome): void;
  finish(elapsedMs: number): LoadResult;
} {
  const durationsMs: number[] = [];
  const byLimit = new Map<string, number>();
  const reasons = new Map<string, number>();
  const malformed: string[] = [];
  let packBytes = 0;
  let refusals = 0;
  let malformedCount = 0;
  let failures = 0;
  const addRefusal = (refusal: Refusal) => {
    refusals += 1;
    count(byLimit, refusal.limit ?? 'none');
    const fault = refusalFault(refusal);
    if (fault === undefined) return;
    malformedCount += 1;
    if (malformed.length < keptExamples) malformed.push(fault);
  };
  return {
    add(outcome) {
      if (outcome.kind === 'ok') {
        durationsMs.push(outcome.durationMs);
        packBytes += outcome.packBytes;
      } else if (outcome.kind === 'refused') addRefusal(outcome.refusal);
      else {
        failures += 1;
        if (reasons.size < keptExamples || reasons.has(outcome.reason))
          count(reasons, outcome.reason);
      }
    },
    finish: (elapsedMs) => ({
      elapsedMs,
      durationsMs,
      packBytes,
      refusals,
      refusalsByLimit: Object.fromEntries(byLimit),
      malformed,
      malformedCount,
      failures,
      failureReasons: Object.fromEntries(reasons),
    }),
  };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Operations that succeeded per second. */
export function ratePerSecond({ durationsMs, elapsedMs }: LoadResult): number {
  return durationsMs.length / (elapsedMs / 1000);
}
