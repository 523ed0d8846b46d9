// Short commands: their whole output, or one clear error; never a wait without end.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { runChild } from '#process/run-child.ts';
import {
  buildChildSpec,
  createRecordingMonitor,
  type RecordingMonitor,
} from '#support/child-program.ts';
import { eventually } from '#support/eventually.ts';
import { type LeakWatch, watchLeaks } from '#support/leak-check.ts';
import { listProcesses, readProcess } from '#support/process-table.ts';
import { createTestContext, type TestContext } from '#support/test-context.ts';

let ctx: TestContext;
let monitor: RecordingMonitor;
let leaks: LeakWatch;
beforeEach(async () => {
  ctx = createTestContext();
  monitor = createRecordingMonitor();
  leaks = await watchLeaks({ listeners: { 'the signal': ctx.signal } });
});
afterEach(() => leaks.check());

test('input goes in, output comes out', async () => {
  const spec = { ...buildChildSpec('fail-late', monitor), program: 'cat', args: [] };
  const input = Buffer.alloc(2_000_000, 'abc');
  const { code, stdout } = await runChild(ctx, { ...spec, input });
  expect(code).toBe(0);
  expect(stdout.equals(input)).toBe(true);
  expect(monitor.events).toEqual(['started other', 'ended other ok']);
});

test('a failure is a result', async () => {
  const result = await runChild(ctx, buildChildSpec('fail-late', monitor));
  expect(result).toMatchObject({ code: 3, stderr: 'fatal: the late failure' });
  expect(result.stdout.toString()).toBe('good beginning\n');
});

test('the last words on stderr are never lost to the exit', async () => {
  const spec = { ...buildChildSpec('fail-late', monitor), program: 'sh' };
  for (let round = 0; round < 30; round++) {
    const script = 'seq 1 1500 >&2; echo "the last" >&2; exit 1';
    expect((await runChild(ctx, { ...spec, args: ['-c', script] })).stderr).toMatch(
      /\n1500\nthe last$/,
    );
  }
});

test('output past the limit is OUTPUT_TOO_LARGE and ends the program', async () => {
  const running = runChild(ctx, { ...buildChildSpec('flood-stdout', monitor), maxBytes: 100_000 });
  await expect(running).rejects.toMatchObject({
    code: 'OUTPUT_TOO_LARGE',
    details: { maxBytes: 100_000 },
  });
  expect(monitor.events).toHaveLength(2);
});

test('output of exactly the limit is fine, one byte more is not', async () => {
  const spec = { ...buildChildSpec('fail-late', monitor), program: 'printf', args: ['12345'] };
  expect((await runChild(ctx, { ...spec, maxBytes: 5 })).stdout.toString()).toBe('12345');
  await expect(runChild(ctx, { ...spec, maxBytes: 4 })).rejects.toMatchObject({
    code: 'OUTPUT_TOO_LARGE',
  });
});

test('an abort rejects with its reason, once the group is gone', async () => {
  const before = new Set(listProcesses().map(({ pid }) => pid));
  const running = runChild(ctx, buildChildSpec('ignore-term', monitor)).catch(
    (error: unknown) => error,
  );
  const child = await eventually('the child', () =>
    listProcesses().find(({ pid, parent }) => parent === process.pid && !before.has(pid)),
  );
  const reason = new Error('nobody waits');
  ctx.abort(reason);
  expect(await running).toBe(reason);
  expect(readProcess(child.pid)).toBeUndefined();
  expect(monitor.events).toEqual(['started other', 'ended other client_gone']);
});

test('a process that left the group and holds stdout open does not hold the answer', async () => {
  const { code, stdout, durationMs } = await runChild(ctx, buildChildSpec('escape-group', monitor));
  process.kill(Number(stdout.toString()), 'SIGKILL');
  expect(code).toBe(0);
  expect(durationMs).toBeLessThan(3000);
});

test('a program that is not there is SPAWN_FAILED', async () => {
  const spec = { ...buildChildSpec('fail-late', monitor), program: 'warren-no-such-program' };
  await expect(runChild(ctx, { ...spec, input: 'x' })).rejects.toMatchObject({
    code: 'SPAWN_FAILED',
    details: { program: 'warren-no-such-program' },
  });
});
