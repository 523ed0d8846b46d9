// A crash at any instant of a write: the old state or the new one, every acknowledged write there, the next start fine.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunSystemGit } from '#entity/run-system-git.ts';
import { buildChildEnvironment } from '#process/child-environment.ts';
import { silentProcessMonitor } from '#process/process-monitor.ts';
import { startChild } from '#process/start-child.ts';
import { openTestAccounts, testContext as ctx } from '#support/account-store.ts';
import { eventually } from '#support/eventually.ts';
import { watchLeaks } from '#support/leak-check.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

/** Lets `allowed` git calls through from now on, then fails each: what a dying process looks like on disk. */
function createFuse() {
  let left = Number.POSITIVE_INFINITY;
  const wrapGit =
    (git: RunSystemGit): RunSystemGit =>
    (callCtx, call) => {
      if (left-- <= 0) throw new Error('the process died here');
      return git(callCtx, call);
    };
  return { wrapGit, blowAfter: (allowed: number) => (left = allowed) };
}

test('a write cut off between any two steps leaves the state before it', async () => {
  await using folder = await createTempDirectory('crash');
  for (let steps = 0; ; steps++) {
    const fuse = createFuse();
    await using opened = await openTestAccounts(folder.path, { wrapGit: fuse.wrapGit });
    const before = opened.store.listAccounts();
    fuse.blowAfter(steps);
    const written = await opened.store
      .addAccount(ctx, 'admin', { name: `after-${steps}` })
      .catch(() => undefined);
    await using reader = await openTestAccounts(folder.path);
    if (written !== undefined) {
      expect(reader.store.getAccount(`after-${steps}`)).toBeDefined();
      expect(steps).toBe(5);
      break;
    }
    expect(opened.store.listAccounts()).toEqual(before);
    expect(reader.store.listAccounts()).toEqual(before);
    const fsck = await reader.git(ctx, { args: ['fsck', '--strict', '--no-dangling'] });
    expect(fsck.code).toBe(0);
  }
});

test('kill -9 of a server that writes loses no acknowledged write', async () => {
  await using _leaks = await watchLeaks();
  await using folder = await createTempDirectory('crash');
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round++) {
    const child = await startChild(ctx, {
      program: process.execPath,
      args: [
        join(import.meta.dirname, '../../support/children/account-writer.ts'),
        folder.path,
        `round-${round}`,
      ],
      cwd: process.cwd(),
      env: buildChildEnvironment(process.env),
      label: 'other',
      monitor: silentProcessMonitor,
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('latin1')));
    const lines = 4 + round * 3;
    await eventually('some writes', () => output.split('\n').length > lines, 10_000);
    process.kill(child.pid, 'SIGKILL');
    await child.ended;
    acknowledged.push(...output.split('\n').slice(0, -1));

    await using reader = await openTestAccounts(folder.path);
    const names = new Set(reader.store.listAccounts().map(({ name }) => name));
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
    const fsck = await reader.git(ctx, { args: ['fsck', '--strict', '--no-dangling'] });
    expect(fsck.code).toBe(0);
    // The next server writes at once, whatever the dead one left.
    expect(await reader.store.addAccount(ctx, 'admin', { name: `next-${round}` })).toMatchObject({
      kind: 'done',
    });
  }
  expect(acknowledged.length).toBeGreaterThan(12);
});
