// Which part of the program a request target belongs to.

import { expect, test } from 'vitest';
import { hostName, parseAddress, sshRepositoryPath } from '#transport/address.ts';

test.each([
  ['/a/b.git/info/refs?service=git-upload-pack', 'a/b', 'git-upload-pack'],
  ['/a/b/info/refs?service=git-receive-pack', 'a/b', 'git-receive-pack'],
  ['/a/b/c.git/info/refs', 'a/b/c', undefined],
  ['/a/b.git/info/refs?service=git%2Dupload%2Dpack', 'a/b', 'git-upload-pack'],
  ['/a/b.git.git/info/refs?service=x', 'a/b.git', 'x'],
])('discovery: %s', (target, repository, service) => {
  expect(parseAddress(target)).toEqual({ kind: 'info-refs', repository, service });
});

test.each(['git-upload-pack', 'git-receive-pack', 'git-upload-archive'] as const)(
  'a request to %s, with and without .git',
  (service) => {
    for (const path of ['/a/b.git', '/a/b']) {
      const address = parseAddress(`${path}/${service}?x=1`);
      expect(address).toEqual({ kind: 'rpc', repository: 'a/b', service });
    }
  },
);

test.each([
  ['/a/b.git/info/lfs/objects/batch', { kind: 'lfs', repository: 'a/b' }],
  ['/a/b.git/info/lfs', { kind: 'lfs', repository: 'a/b' }],
  ['/healthz', { kind: 'health' }],
  ['/api/v1/limits?x', { kind: 'api' }],
  ['/api', { kind: 'api' }],
  ['/apis/x', { kind: 'page', path: '/apis/x' }],
  ['/', { kind: 'page', path: '/' }],
  ['/a/b?q=/x.git/info/refs', { kind: 'page', path: '/a/b' }],
  ['/info/refs', { kind: 'page', path: '/info/refs' }],
  ['/a/b.git/HEAD', { kind: 'page', path: '/a/b.git/HEAD' }],
  ['/a/b.git/objects/info/packs', { kind: 'page', path: '/a/b.git/objects/info/packs' }],
] as const)('%s', (target, address) => {
  expect(parseAddress(target)).toEqual(address);
});

test.each(['/../a/b', '/a/%2e%2e/b', '/a//b', '/a/%00b', '/a/%ff', '/./a/b', '/a/b/..'])(
  'nothing is decoded or resolved in %s',
  (path) => {
    const address = parseAddress(`${path}.git/info/refs?service=git-upload-pack`);
    expect(address).toMatchObject({ kind: 'info-refs', repository: path.slice(1) });
  },
);

test.each(['', 'http://localhost/a/b', '*', 'a/b.git/info/refs', `/${'a'.repeat(4096)}`])(
  'no address: %.40s',
  (target) => {
    expect(parseAddress(target)).toBeUndefined();
  },
);

test('a hostile target of the longest length is parsed in no time', () => {
  const startedMs = performance.now();
  parseAddress(`/${'a/.git'.repeat(680)}`);
  parseAddress(`/${'/info/refs'.repeat(400)}x`);
  expect(performance.now() - startedMs).toBeLessThan(100);
});

test.each([
  ['localhost', 'localhost'],
  ['LocalHost:8080', 'localhost'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['[::1]:8080', '[::1]'],
  ['[::1]', '[::1]'],
  ['git.example.test', 'git.example.test'],
  ['a b', undefined],
  ['user@localhost', undefined],
  ['localhost:', undefined],
  ['localhost:123456', undefined],
  ['localhost/x', undefined],
  ['', undefined],
  [undefined, undefined],
])('the host of %s is %s', (header, host) => {
  expect(hostName(header)).toBe(host);
});

test.each([
  ['/a/b.git', 'a/b'],
  ['a/b', 'a/b'],
  ['//a/b/', 'a/b'],
  ['/a/b.git/', 'a/b'],
])('over SSH %s is %s', (argument, path) => {
  expect(sshRepositoryPath(argument)).toBe(path);
});
