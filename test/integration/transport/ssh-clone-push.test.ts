// The real git over the real ssh, against a forge in this process: what people do all day.

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGitClient, type GitClient } from '#support/git-client.ts';
import { joinDocuments, repositoryOf } from '#support/manifest-text.ts';
import { buildRepository, fillerCommits } from '#support/repository-builder.ts';
import { type SshForge, startSshForge } from '#support/ssh-forge.ts';
import type { SshKey } from '#support/ssh-key.ts';
import { createTempDirectory, type TempDirectory } from '#support/temp-directory.ts';

let source: TempDirectory;
let forge: SshForge;
let git: GitClient;
let key: SshKey;
let head: string;

beforeAll(async () => {
  source = await createTempDirectory('source');
  const built = await buildRepository(join(source.path, 'a.git'), {
    commits: fillerCommits(30, { bytes: 2000 }),
    tags: { v1: { at: 3, message: 'one' } },
  });
  head = built.head;
  const grants = 'access: [{user: ann, role: write}]';
  forge = await startSshForge(
    joinDocuments(
      repositoryOf('code', `${grants}\nsource: {url: "${built.path}"}`),
      repositoryOf('empty', grants),
      repositoryOf('kept', `${grants}\nprotectedBranches: [{pattern: main, push: admin}]`),
      repositoryOf('small', `${grants}\nlimits: {maxPushBytes: 20Ki}`),
      repositoryOf('old', `${grants}\narchived: true`),
    ),
  );
  key = await forge.addAccount('ann');
  git = await createGitClient({ GIT_SSH_COMMAND: key.command });
});

afterAll(async () => {
  await git[Symbol.asyncDispose]();
  await forge[Symbol.asyncDispose]();
  await source[Symbol.asyncDispose]();
});

/** A work tree with one commit and the repository as origin. */
async function prepareWork(name: string, path: string): Promise<string> {
  const work = join(git.home, name);
  await git.ok(['init', '-q', '-b', 'main', work]);
  await git.ok(['remote', 'add', 'origin', forge.urlOf(path)], { cwd: work });
  await commit(work, 'first');
  return work;
}

async function commit(work: string, text: string): Promise<string> {
  await writeFile(join(work, 'file.txt'), text);
  await git.ok(['add', '.'], { cwd: work });
  await git.ok(['commit', '-q', '-m', text], { cwd: work });
  return git.ok(['rev-parse', 'HEAD'], { cwd: work });
}

async function refsOf(path: string): Promise<string> {
  return git.ok(['--git-dir', forge.gitDirOf(path), 'for-each-ref', '--format=%(refname)']);
}

test.each([
  ['v2', '2'],
  ['v1', '1'],
  ['v0', '0'],
])('a clone by protocol %s is whole, shallow, deepened and partial', async (name, version) => {
  const protocol = ['-c', `protocol.version=${version}`];
  const trace = { GIT_TRACE_PACKET: '1' };
  const full = join(git.home, `full-${name}`);
  const url = forge.urlOf('default/code.git');
  const cloned = await git.run([...protocol, 'clone', '-q', url, full], { env: trace });
  expect(cloned.code, cloned.stderr).toBe(0);
  expect(cloned.stderr.includes('< version 2')).toBe(version === '2');
  expect(await git.ok(['rev-parse', 'HEAD'], { cwd: full })).toBe(head);
  expect(await git.ok(['tag'], { cwd: full })).toBe('v1');
  await git.ok([...protocol, 'fetch', '-q'], { cwd: full });

  const shallow = join(git.home, `shallow-${name}`);
  await git.ok([...protocol, 'clone', '-q', '--depth=1', url, shallow]);
  expect(await git.ok(['rev-list', '--count', 'HEAD'], { cwd: shallow })).toBe('1');
  await git.ok([...protocol, 'fetch', '-q', '--deepen=4'], { cwd: shallow });
  expect(await git.ok(['rev-list', '--count', 'HEAD'], { cwd: shallow })).toBe('5');
  await git.ok([...protocol, 'fetch', '-q', '--unshallow'], { cwd: shallow });
  expect(await git.ok(['rev-list', '--count', 'HEAD'], { cwd: shallow })).toBe('30');

  const partial = join(git.home, `partial-${name}`);
  await git.ok([...protocol, 'clone', '-q', '--filter=blob:none', '--no-checkout', url, partial]);
  await git.ok([...protocol, 'checkout', '-q', 'main'], { cwd: partial });
  expect(await git.ok(['status', '--porcelain'], { cwd: partial })).toBe('');
});

test('an archive comes over SSH', async () => {
  const url = forge.urlOf('default/code');
  const { code, stdoutBytes, stderr } = await git.run(['archive', `--remote=${url}`, 'main']);
  expect(code, stderr).toBe(0);
  expect(stdoutBytes.length).toBeGreaterThan(10_240);
});

test('pushes create, repeat, force, tag and delete, and an up-to-date one does nothing', async () => {
  const work = await prepareWork('push', 'default/empty');
  await git.ok(['push', '-q', 'origin', 'main'], { cwd: work });
  const again = await git.run(['push', 'origin', 'main'], { cwd: work });
  expect(again.stderr).toContain('Everything up-to-date');
  expect(again.code).toBe(0);
  await git.ok(['commit', '-q', '--amend', '-m', 'other'], { cwd: work });
  await git.ok(['tag', 'v1'], { cwd: work });
  await git.ok(['push', '-q', '--force', '--atomic', 'origin', 'main', 'main:side', 'v1'], {
    cwd: work,
  });
  expect(await refsOf('default/empty')).toBe('refs/heads/main\nrefs/heads/side\nrefs/tags/v1');
  const optional = await git.run(
    ['push', '--push-option=a=b', '--delete', 'origin', 'side', 'v1'],
    { cwd: work },
  );
  expect(optional.code, optional.stderr).toBe(0);
  expect(await refsOf('default/empty')).toBe('refs/heads/main');
  expect(await git.ok(['push', '--dry-run', 'origin', 'main:dry'], { cwd: work })).toBe('');
  expect(await refsOf('default/empty')).toBe('refs/heads/main');
});

test('a push from a shallow clone arrives', async () => {
  const work = join(git.home, 'from-shallow');
  await git.ok(['clone', '-q', '--depth=1', forge.urlOf('default/code'), work]);
  const oid = await commit(work, 'from shallow');
  await git.ok(['push', '-q', 'origin', 'HEAD:refs/heads/topic'], { cwd: work });
  const gitDir = forge.gitDirOf('default/code');
  expect(await git.ok(['--git-dir', gitDir, 'rev-parse', 'topic'])).toBe(oid);
});

test('a push to a protected branch is refused in words, whatever its size, and leaves nothing', async () => {
  const work = await prepareWork('protected', 'default/kept');
  await writeFile(join(work, 'large.bin'), incompressible(6 * 2 ** 20));
  await commit(work, 'large');
  const startedMs = performance.now();
  const pushed = await git.run(['push', 'origin', 'main'], { cwd: work });
  expect(pushed.code).toBe(1);
  expect(pushed.stderr).toContain(
    'remote: refs/heads/main: protected branch: needs role admin to push',
  );
  expect(pushed.stderr).toContain('[remote rejected] main -> main (protected branch');
  expect(pushed.stderr).not.toContain('hung up');
  expect(performance.now() - startedMs).toBeLessThan(8000);
  expect(await refsOf('default/kept')).toBe('');
  const objects = await readdir(join(forge.gitDirOf('default/kept'), 'objects'));
  expect(objects.toSorted()).toEqual(['info', 'pack']);
  const ended = forge.commands().at(-1);
  expect(ended).toMatchObject({ route: 'ssh-receive-pack', account: 'ann', exit: 1 });
});

test('a push over its bound of bytes is refused in words', async () => {
  const work = await prepareWork('large', 'default/small');
  await writeFile(join(work, 'large.bin'), incompressible(3 * 2 ** 20));
  await commit(work, 'large');
  const pushed = await git.run(['push', 'origin', 'main'], { cwd: work });
  expect(pushed.code).not.toBe(0);
  expect(pushed.stderr).toContain('remote: The request is too large: a push has at most 20 KiB');
  const ended = forge.commands().at(-1);
  expect(ended).toMatchObject({ route: 'ssh-receive-pack', exit: 1 });
  expect(ended).not.toHaveProperty('aborted');
  expect(await refsOf('default/small')).toBe('');
});

test('a push of an internal ref, and one to an archived repository, are refused in words', async () => {
  const work = await prepareWork('internal', 'default/empty');
  const internal = await git.run(['push', 'origin', 'main:refs/warren/s/00'], { cwd: work });
  expect(internal.code).toBe(1);
  expect(internal.stderr).toContain('refs/warren/ is kept by the server and takes no pushes');
  const archived = await git.run(['push', forge.urlOf('default/old'), 'main'], { cwd: work });
  expect(archived.code).toBe(128);
  expect(archived.stderr).toContain('remote: This repository is archived');
});

test('no command has left a permit', () => {
  const { gitSsh, gitPage } = forge.core.admission;
  for (const limit of [...gitSsh.limits, ...gitPage.limits]) expect(limit.inUse).toBe(0);
});

/** Seeded, so that a failure repeats. */
function incompressible(bytes: number): Buffer {
  const content = Buffer.alloc(bytes);
  let state = 1;
  for (let at = 0; at < bytes; at += 4) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    content.writeInt32LE(state | 0, at);
  }
  return content;
}
