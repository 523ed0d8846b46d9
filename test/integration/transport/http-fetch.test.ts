// Clones and fetches by the real git over HTTP: every protocol version, shallow, partial, large listings, sha256.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';
import { fillerCommits } from '#support/repository-builder.ts';

let forge: HttpForge;
let count = 0;

beforeAll(async () => {
  forge = await startHttpForge({
    code: {
      commits: fillerCommits(30, { bytes: 3000 }),
      branches: { old: 10 },
      tags: { light: 5, v1: { at: 20, message: 'one' } },
    },
    empty: { commits: 0 },
    wide: {
      commits: 450,
      branches: Object.fromEntries(Array.from({ length: 440 }, (_, at) => [`topic/${at}`, at])),
    },
    sha256: { commits: 5, objectFormat: 'sha256' },
    cut: { commits: 9 },
    large: { commits: [{ files: { small: 'x', large: Buffer.alloc(200_000, 'y') } }] },
  });
});
afterAll(() => forge[Symbol.asyncDispose]());
afterEach(() => forge.assertIdle());

const headOf = (name: string) => forge.built[name]?.head;
const target = () => join(forge.git.home, `clone-${count++}`);

async function clone(name: string, ...flags: string[]): Promise<string> {
  const path = target();
  await forge.git.ok(['clone', '-q', ...flags, forge.urlOf(name), path]);
  return path;
}
const inside = (cwd: string, ...args: string[]) => forge.git.ok(args, { cwd });

test.each([
  [0, /version [12]/, undefined],
  [1, /< version 1/, 1],
  [2, /< version 2/, 2],
])('a clone speaks protocol %s, as the packets show', async (version, pattern, spoken) => {
  const path = target();
  const { code, stderr } = await forge.git.run(
    ['-c', `protocol.version=${version}`, 'clone', '-q', forge.urlOf('code'), path],
    { env: { GIT_TRACE_PACKET: '1' } },
  );
  expect(code, stderr).toBe(0);
  if (spoken === undefined) expect(stderr).not.toMatch(pattern);
  else expect(stderr).toMatch(pattern);
  expect(await inside(path, 'rev-parse', 'HEAD', 'origin/old', 'light', 'v1^{}')).toBe(
    [29, 10, 5, 20].map((at) => forge.built['code']?.oids[at]).join('\n'),
  );
  await inside(path, 'fsck', '--strict');
});

test('without .git, and with it, the same; without a redirect', async () => {
  const plain = forge.urlOf('code').replace(/\.git$/, '');
  for (const url of [plain, `${plain}.git`]) {
    const path = target();
    await forge.git.ok(['-c', 'http.followRedirects=false', 'clone', '-q', url, path]);
    expect(await inside(path, 'rev-parse', 'HEAD')).toBe(headOf('code'));
  }
});

test.each([0, 2])('shallow, deepened and made whole again, by protocol %s', async (version) => {
  const flags = ['-c', `protocol.version=${version}`];
  const path = target();
  await forge.git.ok([...flags, 'clone', '-q', '--depth=1', forge.urlOf('code'), path]);
  const depth = () => inside(path, 'rev-list', '--count', 'HEAD');
  expect(await depth()).toBe('1');
  await inside(path, ...flags, 'fetch', '-q', '--deepen=4');
  expect(await depth()).toBe('5');
  await inside(path, ...flags, 'fetch', '-q', '--depth=2');
  expect(await depth()).toBe('2');
  await inside(path, ...flags, 'fetch', '-q', '--shallow-since=2023-11-14T22:33:00Z');
  expect(Number(await depth())).toBeGreaterThan(2);
  await inside(path, ...flags, 'fetch', '-q', '--unshallow');
  expect(await depth()).toBe('30');
  await inside(path, 'fsck', '--strict');
});

test.each([0, 2])(
  'a repository of %#: no protocol matters when there is nothing',
  async (version) => {
    const path = target();
    const { code, stderr } = await forge.git.run([
      '-c',
      `protocol.version=${version}`,
      'clone',
      forge.urlOf('empty'),
      path,
    ]);
    expect(stderr).toContain('appear to have cloned an empty repository');
    expect(code).toBe(0);
    expect(await readFile(join(path, '.git/HEAD'), 'utf8')).toMatch(/^ref: refs\/heads\//);
  },
);

test.each(['blob:none', 'tree:0', 'blob:limit=1000'])(
  'a partial clone with %s is filled from the server when it is needed',
  async (filter) => {
    const path = await clone('large', '--no-checkout', `--filter=${filter}`);
    const missing = await inside(path, 'rev-list', '--objects', '--missing=print', '--all');
    expect(missing).toContain('\n?');
    await inside(path, 'checkout', '-q', 'main');
    expect((await readFile(join(path, 'large'))).length).toBe(200_000);
  },
);

test.each([0, 2])('hundreds of refs make a gzip body, by protocol %s', async (version) => {
  const path = target();
  const flags = ['-c', `protocol.version=${version}`];
  const env = { GIT_TRACE_CURL: '1' };
  const cloned = await forge.git.run(
    [...flags, 'clone', '-q', '--bare', forge.urlOf('wide'), path],
    { env },
  );
  expect(cloned.code, cloned.stderr).toBe(0);
  expect(cloned.stderr).toMatch(/Content-Encoding: gzip/i);
  expect((await inside(path, 'for-each-ref', 'refs/heads/topic/')).split('\n')).toHaveLength(440);
});

test('a fetch of what is new, and one of nothing', async () => {
  const path = await clone('code', '--single-branch', '--branch=old');
  await inside(path, 'fetch', '-q', 'origin', 'main:main');
  expect(await inside(path, 'rev-parse', 'main')).toBe(headOf('code'));
  expect(await inside(path, 'fetch', '-q', 'origin', 'main:main')).toBe('');
});

test('an object by its id, also one that no ref names', async () => {
  const path = await clone('code', '--depth=1');
  const oid = forge.built['code']?.oids[7] ?? '';
  await inside(path, 'fetch', '-q', '--depth=1', 'origin', oid);
  expect(await inside(path, 'rev-parse', 'FETCH_HEAD')).toBe(oid);
});

test.each([0, 2])('an id that is not there is refused by protocol %s', async (version) => {
  const path = await clone('code', '--depth=1');
  const oid = 'deadbeef'.repeat(5);
  const { code, stderr } = await forge.git.run(
    ['-c', `protocol.version=${version}`, 'fetch', 'origin', oid],
    { cwd: path },
  );
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/not our ref|unadvertised|remote error/);
});

test('a repository whose own history is cut off', async () => {
  await writeFile(join(forge.gitDirOf('cut'), 'shallow'), `${forge.built['cut']?.oids[6]}\n`);
  // The second finds the refs in memory.
  for (let round = 0; round < 2; round++) {
    const path = await clone('cut');
    expect(await inside(path, 'rev-list', '--count', 'HEAD')).toBe('3');
    await inside(path, 'fsck');
  }
});

test('a sha256 repository', async () => {
  const path = await clone('sha256');
  expect(await inside(path, 'rev-parse', 'HEAD')).toBe(headOf('sha256'));
  await inside(path, 'fsck', '--strict');
});

test('ls-remote, a mirror and a clone without tags agree with the source', async () => {
  const listed = await forge.git.ok(['ls-remote', forge.urlOf('code')]);
  const source = await forge.git.ok(['ls-remote', forge.built['code']?.path ?? '']);
  expect(listed).toBe(source);
  const mirror = await clone('code', '--mirror');
  expect(await inside(mirror, 'show-ref')).toBe(
    await forge.git.ok(['show-ref'], { cwd: forge.built['code']?.path ?? '' }),
  );
  const untagged = await clone('code', '--no-tags');
  expect(await inside(untagged, 'tag')).toBe('');
});
