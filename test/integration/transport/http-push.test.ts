// Pushes by the real git over HTTP: creation to deletion, options, atomic, chunked with the probe, and each refusal.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { encodePacket, flushPacket } from '#git/pkt-line.ts';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';
import { rawRequest } from '#support/raw-http.ts';

let forge: HttpForge;
let token: string;
let count = 0;
const grants = 'access: [{user: ann, role: write}]';

beforeAll(async () => {
  forge = await startHttpForge(
    {
      code: { commits: 5, spec: grants },
      fresh: { commits: 0, spec: grants },
      sha256: { commits: 1, objectFormat: 'sha256', spec: grants },
      kept: {
        commits: 5,
        branches: { open: 1 },
        spec: `${grants}\nprotectedBranches:\n  - {pattern: main}\n  - {pattern: 'locked/*', push: admin}`,
      },
      small: { commits: 2, spec: `${grants}\nlimits: {maxPushBytes: 20Ki, maxBlobBytes: 5Ki}` },
      blobs: { commits: 2, spec: `${grants}\nlimits: {maxBlobBytes: 5Ki}` },
      old: { commits: 1, spec: `${grants}\narchived: true` },
    },
    { env: { WARREN_LIMIT_PUSH_BYTES: '6MiB' } },
  );
  token = await forge.addAccount('ann');
});
afterAll(() => forge[Symbol.asyncDispose]());
afterEach(() => forge.assertIdle());

type Work = {
  readonly path: string;
  git(...args: string[]): Promise<string>;
  push(...args: string[]): Promise<{ code: number | null; stderr: string; stdout: string }>;
};

async function open(name: string): Promise<Work> {
  const path = join(forge.git.home, `work-${count++}`);
  const url = forge.urlOf(name, token);
  const { code } = await forge.git.run(['clone', '-q', url, path]);
  if (code !== 0) {
    await forge.git.ok(['init', '-q', '-b', 'main', path]);
    await forge.git.ok(['remote', 'add', 'origin', url], { cwd: path });
  }
  return {
    path,
    git: (...args) => forge.git.ok(args, { cwd: path }),
    push: (...args) => forge.git.run(['push', ...args], { cwd: path }),
  };
}

async function commit(
  work: Work,
  content: string | Buffer = randomBytes(8).toString('hex'),
): Promise<string> {
  await writeFile(join(work.path, 'file'), content);
  await work.git('add', 'file');
  await work.git('commit', '-q', '-m', 'a change');
  return work.git('rev-parse', 'HEAD');
}

const serverGit = (name: string, ...args: string[]) =>
  forge.git.ok(args, { cwd: forge.gitDirOf(name) });
const refsOf = (name: string) => serverGit(name, 'show-ref', '--head');
const objectsOf = (name: string) => serverGit(name, 'count-objects', '-v');

/** Runs the push and proves that it changed nothing on the server. */
async function expectRefused(
  name: string,
  act: () => Promise<{ code: number | null; stderr: string }>,
) {
  const before = [await refsOf(name), await objectsOf(name)];
  const { code, stderr } = await act();
  expect(code, stderr).not.toBe(0);
  await forge.assertIdle();
  expect([await refsOf(name), await objectsOf(name)]).toEqual(before);
  return stderr;
}

test('the first push makes the branch and fits HEAD', async () => {
  const work = await open('fresh');
  const head = await commit(work);
  expect((await work.push('-q', 'origin', 'HEAD:refs/heads/main')).code).toBe(0);
  expect(await forge.git.ok(['ls-remote', forge.urlOf('fresh', token), 'HEAD'])).toBe(
    `${head}\tHEAD`,
  );
});

test.each([0, 1, 2])('a push with protocol.version=%s', async (version) => {
  const work = await open('code');
  const head = await commit(work);
  await work.git(
    '-c',
    `protocol.version=${version}`,
    'push',
    '-q',
    'origin',
    `HEAD:refs/heads/v${version}`,
  );
  expect(await serverGit('code', 'rev-parse', `v${version}`)).toBe(head);
});

test('force, delete, tags and push options', async () => {
  const work = await open('code');
  await commit(work);
  await work.git('tag', '-m', 'two', 'mark');
  await work.git(
    'push',
    '-q',
    '-o',
    'ci.skip',
    '-o',
    'x=1',
    'origin',
    'HEAD:refs/heads/topic',
    'mark',
  );
  await work.git('commit', '-q', '--amend', '-m', 'otherwise');
  expect((await work.push('origin', 'HEAD:refs/heads/topic')).stderr).toContain('non-fast-forward');
  await work.git('push', '-q', '--force-with-lease', 'origin', '+HEAD:refs/heads/topic');
  expect(await serverGit('code', 'rev-parse', 'topic')).toBe(await work.git('rev-parse', 'HEAD'));
  await work.git('push', '-q', 'origin', '--delete', 'topic', 'mark');
  expect(await refsOf('code')).not.toMatch(/topic|mark/);
});

test('an atomic push moves all refs or none', async () => {
  const work = await open('code');
  const head = await commit(work);
  await work.git('push', '-q', '--atomic', 'origin', 'HEAD:refs/heads/a1', 'HEAD:refs/heads/a2');
  expect(await refsOf('code')).toContain(`${head} refs/heads/a2`);
  await work.git('commit', '-q', '--amend', '-m', 'otherwise');
  await expectRefused('code', () =>
    work.push('--atomic', 'origin', 'HEAD:refs/heads/a3', 'HEAD:refs/heads/a1'),
  );
});

test.each([
  ['Basic', () => `Authorization: Basic ${Buffer.from(`x:${token}`).toString('base64')}`],
  ['Bearer', () => `Authorization: Bearer ${token}`],
])('a large push is chunked after a probe of four bytes, with %s', async (scheme, header) => {
  const work = await open('code');
  const head = await commit(work, randomBytes(3_000_000));
  const branch = `large-${scheme}`;
  const { code, stderr } = await forge.git.run(
    [
      '-c',
      'http.postBuffer=65536',
      '-c',
      `http.extraHeader=${header()}`,
      'push',
      forge.urlOf('code'),
      `HEAD:refs/heads/${branch}`,
    ],
    { cwd: work.path, env: { GIT_TRACE_CURL: '1', GIT_TRACE_CURL_NO_DATA: '1' } },
  );
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/Content-Length: 4\b/i);
  expect(stderr).toMatch(/Transfer-Encoding: chunked/i);
  expect(await serverGit('code', 'rev-parse', branch)).toBe(head);
});

test('the probe takes no slot of pushes', async () => {
  const admissions = async () =>
    (await forge.metrics()).sum('warren_limit_admissions_total', { limit: 'git_push' });
  const before = await admissions();
  const answer = await rawRequest(
    forge.warren.http,
    `POST /default/code.git/git-receive-pack HTTP/1.1\nHost: localhost\nAuthorization: Bearer ${token}\nContent-Type: application/x-git-receive-pack-request\nContent-Length: 4`,
    '0000',
  );
  expect([answer.status, answer.body.toString()]).toEqual([200, '']);
  expect(await admissions()).toBe(before);
});

test('the server says 100 to who waits for it', async () => {
  const answer = await rawRequest(
    forge.warren.http,
    `POST /default/code.git/git-receive-pack HTTP/1.1\nHost: localhost\nExpect: 100-continue\nAuthorization: Bearer ${token}\nContent-Type: application/x-git-receive-pack-request\nContent-Length: 4`,
    '0000',
  );
  expect([answer.interim, answer.status]).toEqual([[100], 200]);
});

test('a push into a sha256 repository', async () => {
  const work = await open('sha256');
  const head = await commit(work);
  await work.git('push', '-q', 'origin', 'HEAD:main');
  expect(await serverGit('sha256', 'rev-parse', 'main')).toBe(head);
});

test('a protected branch takes no force, no deletion, no lower role; nothing else of that push moves', async () => {
  const work = await open('kept');
  await commit(work);
  await work.git('push', '-q', 'origin', 'HEAD:main');
  await work.git('commit', '-q', '--amend', '-m', 'otherwise');
  const forced = await expectRefused('kept', () =>
    work.push('origin', '+HEAD:main', 'HEAD:refs/heads/other'),
  );
  expect(forced).toMatch(/remote: refs\/heads\/main: protected branch: only fast-forward/);
  const deleted = await expectRefused('kept', () =>
    work.push('origin', ':main', 'HEAD:refs/heads/other'),
  );
  expect(deleted).toMatch(/remote: refs\/heads\/main: protected branch: may not be deleted/);
  const role = await expectRefused('kept', () =>
    work.push('origin', 'HEAD:refs/heads/locked/1', 'HEAD:refs/heads/other'),
  );
  expect(role).toMatch(/remote: refs\/heads\/locked\/1: protected branch: needs role admin/);
  await work.git('push', '-q', 'origin', '+HEAD:open');
});

test('a deletion of a protected branch that hides behind a zero id', async () => {
  const zero = '0'.repeat(40);
  const body = Buffer.concat([
    encodePacket(`${zero} ${zero} refs/heads/main\0report-status side-band-64k\n`),
    flushPacket,
  ]);
  const before = await refsOf('kept');
  const answer = await rawRequest(
    forge.warren.http,
    `POST /default/kept.git/git-receive-pack HTTP/1.1\nHost: localhost\nAuthorization: Bearer ${token}\nContent-Type: application/x-git-receive-pack-request\nContent-Length: ${body.length}`,
    body,
  );
  expect(answer.body.toString('latin1')).toContain('may not be deleted');
  expect(await refsOf('kept')).toBe(before);
});

test('internal refs take no pushes, and neither do names that confuse', async () => {
  const work = await open('code');
  for (const [ref, words] of [
    ['refs/warren/s/00', 'refs/warren/ is kept by the server'],
    ['refs/warren/x', 'refs/warren/ is kept by the server'],
    ['refs/heads/HEAD', 'may not be named HEAD'],
    [`refs/heads/${'a'.repeat(40)}`, 'may not be named like an object id'],
  ] as const) {
    const stderr = await expectRefused('code', () => work.push('origin', `HEAD:${ref}`));
    expect(stderr).toMatch(new RegExp(`remote: ${ref}: .*${words}`));
  }
});

test('a blob over the bound of its repository', async () => {
  for (const name of ['blobs', 'small']) {
    const work = await open(name);
    await commit(work, randomBytes(6000));
    const stderr = await expectRefused(name, () => work.push('origin', 'HEAD:main'));
    expect(stderr).toMatch(/remote: blob [0-9a-f]{40} has 6000 bytes; .*5120/);
    await work.git('reset', '-q', '--hard', 'HEAD~');
    await commit(work, randomBytes(1000));
    await work.git('push', '-q', 'origin', 'HEAD:main');
  }
});

test.each([
  ['of one piece', [], 30_000],
  ['in chunks', ['-c', 'http.postBuffer=8192'], 30_000],
  ['in chunks, much too large', ['-c', 'http.postBuffer=8192'], 9_000_000],
])('a push over the bound of its repository, %s', async (_, flags, bytes) => {
  const work = await open('small');
  await commit(work, randomBytes(bytes));
  const stderr = await expectRefused('small', () =>
    forge.git.run([...flags, 'push', 'origin', 'HEAD:main'], { cwd: work.path }),
  );
  expect(stderr).toMatch(/remote: .*a push has at most 20 KiB \(push_bytes\)/);
});

test("a push over the server's own bound counts once", async () => {
  const refusals = async () =>
    (await forge.metrics()).sum('warren_limit_refusals_total', { limit: 'push_bytes' });
  const work = await open('code');
  await commit(work, randomBytes(7_000_000));
  const before = await refusals();
  const stderr = await expectRefused('code', () => work.push('origin', 'HEAD:refs/heads/much'));
  expect(stderr).toMatch(/remote: .*a push has at most 6 MiB/);
  expect((await refusals()) - before).toBe(1);
});

test('an archived repository says so', async () => {
  const work = await open('old');
  await commit(work);
  const stderr = await expectRefused('old', () => work.push('origin', 'HEAD:main'));
  expect(stderr).toMatch(/remote: This repository is archived/);
});

test('an object that fsck refuses leaves nothing', async () => {
  const work = await open('code');
  await work.git('checkout', '-q', '--detach');
  const tree = await forge.git
    .ok(['mktree', '--missing'], { cwd: work.path, input: `100644 blob ${'a'.repeat(40)}\t.git\n` })
    .catch(() => '');
  const text = `tree ${await work.git('rev-parse', 'HEAD^{tree}')}\nauthor bad\ncommitter bad\n\nx\n`;
  const oid = await forge.git.ok(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {
    cwd: work.path,
    input: text,
  });
  expect(tree).toBeDefined();
  const stderr = await expectRefused('code', () => work.push('origin', `${oid}:refs/heads/bad`));
  expect(stderr).toMatch(/remote: .*(fsck|missingEmail|error|fatal)/i);
});
