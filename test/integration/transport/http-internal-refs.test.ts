// refs/warren/*: unseen in clones, there for who asks for them, closed for pushes (DESIGN, "In Git").

import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';

let forge: HttpForge;
let token: string;
let oid: string;
const open = ['refs/warren/cfg', 'refs/warren/keep/1/head', 'refs/warren/s/00', 'refs/warren/seq'];
const closed = ['refs/warren/cfgx', 'refs/warren/other/x'];

beforeAll(async () => {
  forge = await startHttpForge({
    code: { commits: 3, spec: 'visibility: public\naccess: [{user: ann, role: admin}]' },
  });
  token = await forge.addAccount('ann');
  oid = forge.built['code']?.oids[1] ?? '';
  const gitDir = forge.gitDirOf('code');
  for (const ref of [...open, ...closed])
    await forge.git.ok(['update-ref', ref, oid], { cwd: gitDir });
});
afterAll(() => forge[Symbol.asyncDispose]());
afterEach(() => forge.assertIdle());

const lsRemote = (...args: string[]) => forge.git.ok(['ls-remote', ...args]);
const names = (listing: string) => listing.split('\n').map((line) => line.split('\t')[1] ?? '');

test.each([0, 1, 2])('an unprefixed listing by protocol %s shows none', async (version) => {
  const listing = await forge.git.ok([
    '-c',
    `protocol.version=${version}`,
    'ls-remote',
    forge.urlOf('code'),
  ]);
  expect(names(listing)).toEqual(['HEAD', 'refs/heads/main']);
});

test('a clone gets none, a mirror gets those that are open', async () => {
  const clone = join(forge.git.home, 'clone');
  await forge.git.ok(['clone', '-q', forge.urlOf('code'), clone]);
  expect(await forge.git.ok(['for-each-ref', 'refs/warren/'], { cwd: clone })).toBe('');
  const mirror = join(forge.git.home, 'mirror');
  await forge.git.ok([
    '-c',
    'protocol.version=2',
    'clone',
    '-q',
    '--mirror',
    forge.urlOf('code'),
    mirror,
  ]);
  const listed = await forge.git.ok(['for-each-ref', '--format=%(refname)', 'refs/warren/'], {
    cwd: mirror,
  });
  expect(listed.split('\n')).toEqual(open);
});

test('a fetch that names them gets them', async () => {
  const clone = join(forge.git.home, 'named');
  await forge.git.ok(['clone', '-q', forge.urlOf('code'), clone]);
  await forge.git.ok(['fetch', '-q', 'origin', '+refs/warren/*:refs/warren/*'], { cwd: clone });
  const listed = await forge.git.ok(['for-each-ref', '--format=%(refname)', 'refs/warren/'], {
    cwd: clone,
  });
  expect(listed.split('\n')).toEqual(open);
  expect(names(await lsRemote(forge.urlOf('code'), 'refs/warren/cfg'))).toContain('');
});

test('a push sees none, and may move none', async () => {
  const clone = join(forge.git.home, 'pushing');
  await forge.git.ok(['clone', '-q', forge.urlOf('code', token), clone]);
  for (const spec of [
    ':refs/warren/cfg',
    '+HEAD:refs/warren/seq',
    'HEAD:refs/warren/new',
    'HEAD:refs/warren/other/x',
  ]) {
    const { code, stderr } = await forge.git.run(['push', 'origin', spec], { cwd: clone });
    expect(code).not.toBe(0);
    if (!spec.startsWith(':'))
      expect(stderr).toMatch(/remote: refs\/warren\/\S+: refs\/warren\/ is kept by the server/);
  }
  const mirrored = await forge.git.run(['push', '--mirror', 'origin'], { cwd: clone });
  expect(mirrored.stderr).not.toMatch(/warren/);
  const cfg = await forge.git.ok(['rev-parse', 'refs/warren/cfg'], { cwd: forge.gitDirOf('code') });
  expect(cfg).toBe(oid);
});
