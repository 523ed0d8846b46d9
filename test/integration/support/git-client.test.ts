// The git client and the repositories of tests: clean, repeatable, and nothing left.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGitClient } from '#support/git-client.ts';
import { watchLeaks } from '#support/leak-check.ts';
import { buildRepository, fillerCommits } from '#support/repository-builder.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

test('no configuration of the machine or the person is read', async () => {
  await using git = await createGitClient();
  expect(await git.ok(['config', '--list', '--show-origin'])).toBe('');
});

test('a failure is a result; ok() throws it with stderr', async () => {
  await using git = await createGitClient();
  expect(await git.run(['rev-parse', 'HEAD'])).toMatchObject({
    code: 128,
    stderr: expect.stringContaining('fatal'),
  });
  await expect(git.ok(['rev-parse', 'HEAD'])).rejects.toThrow(
    /git rev-parse HEAD ended with 128: fatal/,
  );
});

test('a git that hangs is ended in time with its helpers', async () => {
  await using _ = await watchLeaks();
  await using git = await createGitClient();
  const hanging = git.run(['-c', 'alias.hang=!sleep 60', 'hang'], { timeoutMs: 100 });
  await expect(hanging).rejects.toThrow('took over 100 ms');
});

test('what still runs ends with the client', async () => {
  await using _ = await watchLeaks();
  await using git = await createGitClient();
  git.start(['-c', 'alias.hang=!sleep 60', 'hang']);
});

test.each(['sha1', 'sha256'] as const)(
  'a %s repository with branches, merges and tags passes fsck',
  async (format) => {
    await using folder = await createTempDirectory();
    await using git = await createGitClient();
    const { path, oids, head } = await buildRepository(join(folder.path, 'a.git'), {
      objectFormat: format,
      commits: [
        { files: { 'a "b"/ü\n.txt': 'one' } },
        { branch: 'side', files: { side: Buffer.from([0, 1, 2]) } },
        { files: { 'a "b"/ü\n.txt': null, main: 'two' } },
        { merges: [1], message: 'merge side' },
      ],
      branches: { 'old/one': 0 },
      tags: { light: 1, heavy: { at: 3, message: 'two' } },
    });
    const cwd = path;
    await git.ok(['fsck', '--strict'], { cwd });
    expect(
      await git.ok(['rev-parse', 'HEAD', 'old/one', 'light', 'heavy^{}', 'HEAD^2'], { cwd }),
    ).toBe([head, oids[0], oids[1], head, oids[1]].join('\n'));
    expect(await git.ok(['ls-tree', '-r', '--name-only', 'HEAD'], { cwd })).toBe('main');
  },
);

test('the same options give the same ids', async () => {
  await using folder = await createTempDirectory();
  const commits = fillerCommits(30, { bytes: 500 });
  const first = await buildRepository(join(folder.path, 'first'), { commits, bare: false });
  const second = await buildRepository(join(folder.path, 'second.git'), { commits });
  expect(first.oids).toEqual(second.oids);
  await using git = await createGitClient();
  expect(await git.ok(['status', '--short'], { cwd: first.path })).toBe('');
});
