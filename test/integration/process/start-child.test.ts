// Real children that misbehave: whatever they do, their group is gone, nobody listens any more, and each was counted.

import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Child, type ChildSpec, startChild } from '#process/start-child.ts';
import {
  buildChildSpec,
  type ChildProgram,
  createRecordingMonitor,
  type RecordingMonitor,
} from '#support/child-program.ts';
import { type LeakWatch, watchLeaks } from '#support/leak-check.ts';
import { groupMembers, readProcess } from '#support/process-table.ts';
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

function start(
  program: ChildProgram,
  args: string[] = [],
  more: Partial<ChildSpec> = {},
): Promise<Child> {
  return startChild(ctx, { ...buildChildSpec(program, monitor, args), ...more });
}

async function firstLine(child: Child): Promise<string> {
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}

test('a child that ignores TERM gets KILL, and is counted by the first cause', async () => {
  const child = await start('ignore-term', [], { killAfterMs: 50 });
  expect(await firstLine(child)).toBe('ready');
  child.stop('deadline');
  child.stop('shutdown');
  expect(await child.ended).toMatchObject({ code: null, signal: 'SIGKILL', stopped: 'deadline' });
  expect(groupMembers(child.pid)).toEqual([]);
  expect(monitor.events).toEqual(['started other', 'ended other deadline']);
});

test('a child that fails late has its output, its code and its last words', async () => {
  const child = await start('fail-late');
  expect(await firstLine(child)).toBe('good beginning');
  expect(await child.ended).toMatchObject({
    code: 3,
    signal: null,
    stopped: undefined,
    stderr: 'fatal: the late failure',
  });
  expect(monitor.events).toEqual(['started other', 'ended other error']);
});

test('a flood of stderr neither blocks the child nor fills memory, and its end is kept', async () => {
  const child = await start('flood-stderr');
  child.stdout.resume();
  const { code, stderr } = await child.ended;
  expect(code).toBe(1);
  expect(stderr.length).toBeLessThanOrEqual(8192);
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThanOrEqual(500);
  expect(stderr).toMatch(/fatal: the last sentence$/);
});

test('a caller that streams stderr gets all of it', async () => {
  const child = await start('fail-late', [], { streamStderr: true });
  child.stdout.resume();
  const chunks: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [exit] = await Promise.all([child.ended, once(child.stderr, 'close')]);
  expect(exit.stderr).toBe('');
  expect(Buffer.concat(chunks).toString()).toBe('fatal: the late failure\n');
});

test.each([
  ['quiet', []],
  ['holding', ['stubborn']],
] as const)('a %s grandchild left behind (%j) is ended with the group', async (pipes, more) => {
  const child = await start('leave-grandchild', [pipes, ...more]);
  const grandchild = Number(await firstLine(child));
  child.stdout.resume();
  expect(readProcess(grandchild)?.group).toBe(child.pid);
  expect(await child.ended).toMatchObject({ code: 0, stopped: undefined });
  expect(groupMembers(child.pid)).toEqual([]);
  expect(readProcess(grandchild)?.state ?? 'gone').toMatch(/^(gone|Z)$/);
  expect(monitor.events).toEqual(['started other', 'ended other ok']);
});

test('an abort ends child and grandchild', async () => {
  const child = await start('with-grandchild');
  const grandchild = Number(await firstLine(child));
  ctx.abort();
  expect(await child.ended).toMatchObject({ signal: 'SIGTERM', stopped: 'client_gone' });
  expect(groupMembers(child.pid)).toEqual([]);
  expect(readProcess(grandchild)?.state ?? 'gone').toMatch(/^(gone|Z)$/);
  expect(monitor.events).toEqual(['started other', 'ended other client_gone']);
});

test('an abort right after the call still ends the child', async () => {
  const starting = start('with-grandchild');
  ctx.abort();
  const child = await starting;
  expect(await child.ended).toMatchObject({ stopped: 'client_gone' });
  expect(groupMembers(child.pid)).toEqual([]);
});

test('nothing starts under a signal that was aborted before', async () => {
  ctx.abort(new Error('before'));
  await expect(start('with-grandchild')).rejects.toThrow('before');
  expect(monitor.events).toEqual([]);
});

test('stop() after the end signals nobody and changes nothing', async () => {
  const child = await start('fail-late');
  child.stdout.resume();
  const exit = await child.ended;
  const signalled: unknown[] = [];
  const realKill = process.kill.bind(process);
  process.kill = (...args) => {
    signalled.push(args);
    return true;
  };
  child.stop('shutdown');
  await wait(5);
  process.kill = realKill;
  expect(signalled).toEqual([]);
  expect(await child.ended).toEqual(exit);
});

test('a stopped process is ended as well', async () => {
  const child = await start('ignore-term', [], { killAfterMs: 50 });
  expect(await firstLine(child)).toBe('ready');
  process.kill(-child.pid, 'SIGSTOP');
  child.stop('shutdown');
  expect(await child.ended).toMatchObject({ signal: 'SIGKILL', stopped: 'shutdown' });
  expect(groupMembers(child.pid)).toEqual([]);
});

test('stdin that the child does not read is no error', async () => {
  const child = await start('fail-late');
  child.stdout.resume();
  child.stdin.write(Buffer.alloc(1_000_000));
  expect((await child.ended).code).toBe(3);
});

test.each<[string, Partial<ChildSpec>]>([
  ['a program that is not there', { program: 'warren-no-such-program' }],
  ['a program that may not be run', { program: '/etc/passwd' }],
  ['a folder that is not there', { cwd: '/nonexistent/folder' }],
  ['arguments beyond what the system takes', { args: ['x'.repeat(3_000_000)] }],
  ['an argument with a NUL', { args: ['a\0b'] }],
])('%s is SPAWN_FAILED and not counted', async (_, spec) => {
  await expect(start('fail-late', [], spec)).rejects.toMatchObject({ code: 'SPAWN_FAILED' });
  expect(monitor.events).toEqual([]);
});

test('twenty at once, aborted together, leave nothing', async () => {
  const children = await Promise.all(Array.from({ length: 20 }, () => start('with-grandchild')));
  ctx.abort();
  await Promise.all(children.map(({ ended }) => ended));
  expect(children.flatMap(({ pid }) => groupMembers(pid))).toEqual([]);
  expect(monitor.events.filter((event) => event.startsWith('ended'))).toHaveLength(20);
});
