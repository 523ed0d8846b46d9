// Object ids of both formats, and nothing that only looks like one.

import { expect, test } from 'vitest';
import { isOid, isZeroOid, zeroOid } from '#model/oid.ts';

const sha1 = '0123456789abcdef0123456789abcdef01234567';
const sha256 = `${sha1}0123456789abcdef01234567`;

test.each([
  [sha1, undefined, true],
  [sha256, undefined, true],
  [sha1, 'sha1', true],
  [sha256, 'sha256', true],
  [sha1, 'sha256', false],
  [sha256, 'sha1', false],
  [sha1.slice(1), undefined, false],
  [`${sha1}0`, undefined, false],
  [sha1.toUpperCase(), undefined, false],
  [sha1.replace('a', 'g'), undefined, false],
  [`${sha1.slice(1)}\n`, undefined, false],
  [`${sha1}\n`, undefined, false],
  ['', undefined, false],
  ['HEAD', undefined, false],
] as const)('isOid(%j, %s) is %s', (text, format, expected) => {
  expect(isOid(text, format)).toBe(expected);
});

test('the zero id has the length of its format and is recognised', () => {
  expect(zeroOid('sha1')).toBe('0'.repeat(40));
  expect(zeroOid('sha256')).toBe('0'.repeat(64));
  expect([isZeroOid(zeroOid('sha1')), isZeroOid(zeroOid('sha256')), isZeroOid(sha1)]).toEqual([
    true,
    true,
    false,
  ]);
});
