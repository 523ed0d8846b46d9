// What a refusal says on each edge.

import { expect, test } from 'vitest';
import { planRetryAfter, type Refusal, refusalHeaders, refusalStatus } from '#admission/refusal.ts';

test.each([
  // waiting, meanHoldMs, slots, random → seconds
  [0, 1, 16, 0.5, 1],
  [15, 4000, 16, 0.5, 4],
  [15, 4000, 16, 0, 3],
  [15, 4000, 16, 1, 5],
  [1000, 60_000, 1, 0.5, 60],
  [1000, 60_000, 1, 1, 75],
  [0, 0, 1, 0, 1],
] as const)('%s waiting, holds of %s ms, %s slots, random %s: %s s', (...row) => {
  const [waiting, meanHoldMs, slots, random] = row;
  expect(planRetryAfter({ waiting, meanHoldMs, slots, random })).toBe(row[4]);
});

const refusal = (scope: Refusal['scope'], reason: Refusal['reason']): Refusal => ({
  kind: 'refused',
  limit: 'x',
  scope,
  reason,
  retryAfterSeconds: 7,
  sentence: 's',
});

test.each([
  ['pod', 'queue_full', 429, 503],
  ['client', 'client_share', 429, 429],
  ['client', 'rate', 429, 429],
  ['repository', 'queue_full', 429, 503],
  ['pod', 'shutdown', 503, 503],
] as const)('%s %s is %s for git and %s elsewhere', (scope, reason, git, web) => {
  expect([
    refusalStatus(refusal(scope, reason), 'git'),
    refusalStatus(refusal(scope, reason), 'web'),
  ]).toEqual([git, web]);
});

test('the headers name the limit and the reason', () => {
  expect(refusalHeaders(refusal('pod', 'queue_full'))).toEqual({
    'retry-after': '7',
    'x-warren-limit': 'x;reason=queue_full',
    'cache-control': 'no-store',
  });
});
