// A drain waits for work that runs, to a deadline or a second signal.

import { expect, test } from 'vitest';
import { createAdmission } from '#admission/create-admission.ts';
import { limitSettings } from '#admission/limit-settings.ts';
import { systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { createRegistry } from '#kernel/metrics.ts';
import { baseSettings } from '#kernel/settings.ts';
import { drain } from '#entry/drain.ts';
import { createTestContext } from '#support/test-context.ts';

function setUp() {
  const config = readConfig({}, [...baseSettings, ...limitSettings]);
  const admission = createAdmission({ config, registry: createRegistry(), clock: systemClock });
  const readiness = { ready: true, reason: 'ready' };
  const hurry = new AbortController();
  const ctx = createTestContext();
  const run = (timeoutMs = 5000) =>
    drain(ctx, { admission, readiness, timeoutMs, hurry: hurry.signal });
  const take = async () => {
    const permit = await admission.gitHttp.acquire(ctx, { class: 'auth_read', clientKey: 'a' });
    if (permit.kind === 'refused') throw new Error(permit.sentence);
    return permit;
  };
  return { admission, readiness, hurry, ctx, run, take };
}

test('a server nobody uses is done at once, and is not ready from the first moment', async () => {
  const { run, readiness } = setUp();
  const draining = run();
  expect(readiness).toEqual({ ready: false, reason: 'draining' });
  const startedMs = performance.now();
  expect(await draining).toBe(true);
  expect(performance.now() - startedMs).toBeLessThan(100);
});

test('it waits for what runs, and lets nothing new in', async () => {
  const { run, take, admission, ctx } = setUp();
  const permit = await take();
  let over = false;
  const draining = run().finally(() => (over = true));
  expect(
    await admission.gitHttp.acquire(ctx, { class: 'auth_read', clientKey: 'b' }),
  ).toMatchObject({ reason: 'shutdown' });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(over).toBe(false);
  permit.release();
  expect(await draining).toBe(true);
});

test('a deadline or a second signal ends the wait', async () => {
  const first = setUp();
  await first.take();
  expect(await first.run(50)).toBe(false);
  const second = setUp();
  await second.take();
  const draining = second.run(60_000);
  second.hurry.abort();
  expect(await draining).toBe(false);
});
