// Claims of clients that were let past info/refs: one a connection, and none outlives its second.

import { expect, test } from 'vitest';
import { ProbeClaims } from '#admission/probe-claims.ts';
import { createFakeClock } from '#support/fake-clock.ts';

test('a claim ends by itself after its life', () => {
  const clock = createFakeClock();
  const claims = new ProbeClaims(clock, 1000);
  claims.add({});
  clock.advance(999);
  expect(claims.outstanding()).toBe(1);
  clock.advance(1);
  expect(claims.outstanding()).toBe(0);
});

test('a fetch ends its own claim, or the oldest when it comes over another connection', () => {
  const claims = new ProbeClaims(createFakeClock(), 1000);
  const [a, b] = [{}, {}];
  claims.add(a);
  claims.add(b);
  expect(claims.redeem(b)).toBe(true);
  expect(claims.redeem({})).toBe(true);
  expect([claims.outstanding(), claims.redeem(a), claims.drop(a)]).toEqual([0, false, false]);
});

test('a change wakes who waits for one, and the time-out leaves no timer', async () => {
  const clock = createFakeClock();
  const claims = new ProbeClaims(clock, 1000);
  const [first, second] = [claims.nextChange(50), claims.nextChange(50)];
  claims.changed();
  await Promise.all([first, second]);
  expect(clock.pending).toBe(0);
  const third = claims.nextChange(50);
  clock.advance(50);
  await third;
});

test('a connection that lists again and again holds no claim, until it fetches', () => {
  const claims = new ProbeClaims(createFakeClock(), 1000);
  const poller = {};
  claims.add(poller);
  expect(claims.outstanding()).toBe(1);
  claims.add(poller);
  expect(claims.outstanding()).toBe(0);
  claims.redeem(poller);
  claims.add(poller);
  expect([claims.outstanding(), claims.outstanding(poller)]).toEqual([1, 0]);
});
