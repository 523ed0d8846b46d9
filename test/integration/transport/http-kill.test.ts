// Clients and servers that are killed in the middle: no child, permit or file stays, and what was acknowledged is there.

import { randomBytes } from 'node:crypto';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#support/eventually.ts';
import { createGitClient, type GitClient } from '#support/git-client.ts';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';
import { processesOf } from '#support/process-table.ts';
import { startWarren } from '#support/start-warren.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

const seeds = {
  code: {
    commits: [{ files: { bulk: randomBytes(8 * 2 ** 20) } }, { files: { small: 'x' } }],
    spec: 'visibility: public\naccess: [{user: ann, role: write}]',
  },
};

async function makePush(
  git: GitClient,
  url: string,
  name: string,
  bytes = 6 * 2 ** 20,
): Promise<string> {
  const path = join(git.home, name);
  await git.ok(['init', '-q', '-b', 'main', path]);
  await writeFile(join(path, 'large'), randomBytes(bytes));
  await git.ok(['add', '.'], { cwd: path });
  await git.ok(['commit', '-q', '-m', name], { cwd: path });
  await git.ok(['remote', 'add', 'origin', url], { cwd: path });
  return path;
}

describe('a client that is killed', () => {
  let forge: HttpForge;
  let token: string;
  beforeAll(async () => {
    forge = await startHttpForge(seeds);
    token = await forge.addAccount('ann');
  });
  afterEach(() => forge.assertIdle());
  afterAll(() => forge[Symbol.asyncDispose]());

  test('in a clone, at several moments', async () => {
    for (const afterMs of [5, 30, 60, 120, 200]) {
      const clone = forge.git.start(['clone', '-q', forge.urlOf('code'), `killed-${afterMs}`]);
      await wait(afterMs);
      clone.kill();
      await clone.result;
      await forge.assertIdle();
    }
    await forge.git.ok(['clone', '-q', forge.urlOf('code'), 'whole']);
  });

  test('in a clone that is streaming its pack', async () => {
    const clone = forge.git.start(['clone', '-q', forge.urlOf('code'), 'streaming']);
    await eventually(
      'it runs',
      async () =>
        (await forge.metrics()).sum('warren_limit_slots_in_use', { limit: 'git_http' }) === 1,
    );
    clone.kill('SIGSTOP');
    await wait(100);
    clone.kill('SIGKILL');
    await clone.result;
  });

  test('in a push, at several moments', async () => {
    const path = await makePush(forge.git, forge.urlOf('code', token), 'push');
    const before = await forge.git.ok(['count-objects', '-v'], { cwd: forge.gitDirOf('code') });
    for (const afterMs of [10, 60, 120, 250]) {
      const push = forge.git.start(['push', '-q', 'origin', `HEAD:refs/heads/killed-${afterMs}`], {
        cwd: path,
      });
      await wait(afterMs);
      push.kill();
      const { code } = await push.result;
      await forge.assertIdle();
      const there = await forge.git.run(['rev-parse', '-q', '--verify', `killed-${afterMs}`], {
        cwd: forge.gitDirOf('code'),
      });
      // It may have been through before the kill; then all of it is there.
      if (there.code === 0)
        await forge.git.ok(['fsck', '--connectivity-only'], { cwd: forge.gitDirOf('code') });
      else if (code !== 0 && afterMs === 10) {
        expect(await forge.git.ok(['count-objects', '-v'], { cwd: forge.gitDirOf('code') })).toBe(
          before,
        );
      }
    }
    await forge.git.ok(['push', '-q', 'origin', 'HEAD:refs/heads/done'], { cwd: path });
  });
});

test('a server that is killed in a clone and a push starts again with all that was acknowledged', async () => {
  await using dataFolder = await createTempDirectory('kill9');
  await using catalogFolder = await createTempDirectory('kill9-catalog');
  const dataDir = join(dataFolder.path, 'data');
  const catalogDir = catalogFolder.path;
  const forge = await startHttpForge(seeds, { dataDir, catalogDir });
  const acknowledged: string[] = [];
  try {
    const token = await forge.addAccount('ann');
    const path = await makePush(forge.git, forge.urlOf('code', token), 'push', 3 * 2 ** 20);
    const clone = forge.git.start(['clone', '-q', forge.urlOf('code'), 'cut']);
    const life = new AbortController();
    const pushing = (async () => {
      for (let round = 0; !life.signal.aborted; round++) {
        const { code } = await forge.git.run(
          ['push', '-q', 'origin', `HEAD:refs/heads/round-${round}`],
          { cwd: path },
        );
        if (code === 0) acknowledged.push(`refs/heads/round-${round}`);
        await forge.git.ok(
          ['commit', '-q', '--amend', '--no-edit', '--date=now', '-m', `${round}`],
          { cwd: path },
        );
      }
    })();
    await eventually('some are acknowledged', () => acknowledged.length >= 2, 20_000);
    const stalled = await makePush(forge.git, forge.urlOf('code', token), 'stalled');
    const push = forge.git.start(
      ['-c', 'http.postBuffer=4096', 'push', '-q', 'origin', 'HEAD:refs/heads/stalled'],
      { cwd: stalled },
    );
    const objects = join(forge.gitDirOf('code'), 'objects');
    await eventually('a quarantine is there', async () =>
      (await readdir(objects)).some((name) => name.includes('incoming-')),
    );
    await forge.warren.kill9();
    life.abort();
    for (const command of [clone, push]) {
      expect((await command.result).code).not.toBe(undefined);
    }
    await pushing;
  } finally {
    await forge[Symbol.asyncDispose]();
  }
  await using again = await startWarren({ dataDir, catalogDir });
  const left = processesOf(dataDir).filter(({ pid }) => pid !== again.pid);
  expect(left).toEqual([]);
  const gitDir = join(dataDir, 'repositories/default/code.git');
  expect(
    (await readdir(join(gitDir, 'objects'))).filter((name) => name.includes('incoming-')),
  ).toEqual([]);
  await using git = await createGitClient();
  const refs = await git.ok(['for-each-ref', '--format=%(refname)'], { cwd: gitDir });
  expect(refs.split('\n')).toEqual(expect.arrayContaining(acknowledged));
  const fsck = await git.run(['fsck', '--full'], { cwd: gitDir });
  expect(fsck.stdout + fsck.stderr).not.toMatch(/error|missing|broken/);
  await git.ok(['clone', '-q', `${again.http}/default/code.git`, 'next']);
  expect((await stat(join(dataDir, 'server.json'))).mode & 0o777).toBe(0o600);
});
