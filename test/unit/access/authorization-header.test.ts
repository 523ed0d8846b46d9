// Every form in which a credential arrives, and those that are none.

import { expect, test } from 'vitest';
import { readAuthorization } from '#access/authorization-header.ts';

const token = `wrn_${'aB3'.repeat(14).slice(0, 40)}`;
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

test('no header is no credential', () => {
  expect(readAuthorization(undefined)).toEqual({ kind: 'none' });
});

test.each([
  ['Bearer', `Bearer ${token}`],
  ['bearer in lower case', `bearer ${token}`],
  ['a password with any name', basic(`anyone:${token}`)],
  ['a password without a name', basic(`:${token}`)],
  ['a name without a password', basic(`${token}:`)],
  ['a name with the usual filler', basic(`${token}:x-oauth-basic`)],
])('a token is found as %s', (_, header) => {
  expect(readAuthorization(header)).toEqual({ kind: 'token', token });
});

test.each([
  ['anna', 'correct horse'],
  ['anna', 'with:colons:in it'],
  ['anna', 'grün & naïve'],
  [token, 'something else'],
])('%s and %s are a name and a password', (name, password) => {
  expect(readAuthorization(basic(`${name}:${password}`))).toEqual({
    kind: 'password',
    name,
    password,
  });
});

test.each([
  '',
  'Basic',
  'Basic ',
  'Bearer not-a-token',
  `Bearer ${token} more`,
  `Token ${token}`,
  `Digest username="anna"`,
  'Basic !!!',
  'Basic YQ=',
  'Basic YR==',
  basic('no colon'),
  basic('anna:'),
  basic(':password'),
  `Basic ${Buffer.from([0x61, 0x3a, 0xff, 0xfe]).toString('base64')}`,
  basic(`anna:${'x'.repeat(5000)}`),
])('%j is malformed, not anonymous', (header) => {
  expect(readAuthorization(header)).toEqual({ kind: 'malformed' });
});
