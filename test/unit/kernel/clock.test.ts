// The machine's clock, and the one of tests, keep the same contract.

import { describe, expect, test } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { createFakeClock } from '#support/fake-clock.ts';

test('the machine’s clock runs a timer after its delay', async () => {
  const before = systemClock.monotonicMs();
  const keepAlive = setInterval(() => {}, 1000);
  await new Promise<void>((resolve) => void systemClock.after(5, resolve));
  clearInterval(keepAlive);
  expect(systemClock.monotonicMs() - before).toBeGreaterThanOrEqual(4);
});

test('a cancelled timer does not run', async () => {
  systemClock.after(1, () => expect.unreachable()).cancel();
  await new Promise((resolve) => void setTimeout(resolve, 5));
});

describe('the fake clock', () => {
  test('runs timers in the order of their times, also those set meanwhile', () => {
    const clock = createFakeClock(1000);
    const seen: string[] = [];
    const note = (name: string) => () => void seen.push(`${name} at ${clock.now()}`);
    clock.after(30, note('late'));
    clock.after(10, () => {
      note('early')();
      clock.after(5, note('between'));
    });
    clock.after(100, note('not yet'));
    clock.advance(50);
    expect(seen).toEqual(['early at 1010', 'between at 1015', 'late at 1030']);
    expect([clock.now(), clock.monotonicMs(), clock.pending]).toEqual([1050, 50, 1]);
  });

  test('forgets a cancelled timer', () => {
    const clock = createFakeClock();
    clock.after(10, () => expect.unreachable()).cancel();
    expect(clock.pending).toBe(0);
    clock.advance(10);
  });
});
