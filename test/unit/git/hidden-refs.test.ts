// Internal refs are shown to those who ask for them, and only those that a mirror needs.

import { expect, test } from 'vitest';
import { isInternalRef, isListed } from '#git/hidden-refs.ts';

const clone = ['refs/heads/', 'refs/tags/', 'HEAD'];
const mirror = ['refs/'];
const explicit = ['refs/warren/'];

test.each([
  // ref, clone, no prefix, mirror, refs/warren/
  ['refs/heads/main', [true, true, true, true]],
  ['refs/warren/s/00', [false, false, true, true]],
  ['refs/warren/cfg', [false, false, true, true]],
  ['refs/warren/seq', [false, false, true, true]],
  ['refs/warren/keep/1/head', [false, false, true, true]],
  ['refs/warren/private', [false, false, false, false]],
  ['refs/warren/cfgx', [false, false, false, false]],
  ['refs/warren/s', [false, false, false, false]],
  ['refs/warren/keep', [false, false, false, false]],
  ['refs/warrens/s/00', [true, true, true, true]],
])('%s', (ref, listed) => {
  expect([
    isListed(ref, clone),
    isListed(ref, []),
    isListed(ref, mirror),
    isListed(ref, explicit),
  ]).toEqual(listed);
});

test('a prefix that only begins like it shows nothing', () => {
  expect(isListed('refs/warren/cfg', ['refs/warren'])).toBe(false);
  expect(isListed('refs/warren/cfg', ['refs/w', 'r', ''])).toBe(false);
});

test.each([
  ['refs/warren/s/00', true],
  ['refs/warren', true],
  ['refs/warrens', false],
  ['refs/heads/warren/x', false],
])('%s is internal: %s', (ref, internal) => {
  expect(isInternalRef(ref)).toBe(internal);
});
