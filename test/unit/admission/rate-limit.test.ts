// Token buckets: a burst, then the rate; one client's bucket is its own; the map is bounded.

import { expect, test } from 'vitest';
import { apiRate } from '#admission/limits.ts';
import { silentLimitMonitor, type LimitMode } from '#admission/limit-monitor.ts';
import { maxTrackedKeys, RateLimit } from '#admission/rate-limit.ts';
import { createFakeClock } from '#support/fake-clock.ts';

function makeRate(mode: LimitMode = 'enforce') {
  const clock = createFakeClock();
  const rate = new RateLimit({
    definition: apiRate,
    perSecond: 2,
    burst: 3,
    mode,
    monitor: silentLimitMonitor,
    clock,
  });
  const take = (key = 'a') => rate.take(key, 'auth_write');
  return { rate, clock, take };
}

test('the burst passes, the next is refused with the seconds to wait, then the rate passes', () => {
  const { clock, take } = makeRate();
  expect([take(), take(), take()]).toEqual([undefined, undefined, undefined]);
  expect(take()).toMatchObject({ reason: 'rate', retryAfterSeconds: 1 });
  clock.advance(499);
  expect(take()).toBeDefined();
  clock.advance(1);
  expect(take()).toBeUndefined();
  expect(take()).toBeDefined();
});

test('refused calls cost nothing, and a rest fills the bucket to the burst and no further', () => {
  const { clock, take } = makeRate();
  for (let at = 0; at < 50; at++) take();
  clock.advance(3_600_000);
  expect([take(), take(), take(), take()].map((outcome) => outcome === undefined)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('each client has its own bucket', () => {
  const { take } = makeRate();
  for (let at = 0; at < 4; at++) take('a');
  expect(take('b')).toBeUndefined();
});

test('in shadow nobody is refused', () => {
  const { take } = makeRate('shadow');
  for (let at = 0; at < 10; at++) expect(take()).toBeUndefined();
});

test('the map does not grow without end', () => {
  const { rate, take } = makeRate();
  for (let at = 0; at < maxTrackedKeys + 500; at++) take(`c${at}`);
  expect(rate.trackedKeys).toBe(maxTrackedKeys);
});
