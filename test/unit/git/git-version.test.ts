// One table says what each git can do.

import { expect, test } from 'vitest';
import { formatVersion, hasFeature, parseGitVersion } from '#git/git-version.ts';

test.each([
  ['git version 2.39.5 (Apple Git-154)\n', [2, 39, 5]],
  ['git version 2.47.0', [2, 47, 0]],
  ['git version 2.45', [2, 45, 0]],
  ['git version 2.51.0.rc1.windows.1', [2, 51, 0]],
  ['git version 3.0.0', [3, 0, 0]],
  ['hg version 2.39', undefined],
  ['', undefined],
])('%j', (text, version) => {
  expect(parseGitVersion(text)).toEqual(version);
});

test.each([
  [[2, 38, 9], false, false],
  [[2, 39, 0], true, false],
  [[2, 44, 9], true, false],
  [[2, 45, 0], true, true],
  [[3, 0, 0], true, true],
  [[1, 99, 99], false, false],
] as const)('%j is supported: %s, and has reftable: %s', (version, supported, reftable) => {
  expect(hasFeature(version, 'supported')).toBe(supported);
  expect(hasFeature(version, 'reftable')).toBe(reftable);
});

test('a version is shown with its dots', () => {
  expect(formatVersion([2, 39, 5])).toBe('2.39.5');
});
