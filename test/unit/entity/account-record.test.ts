// The file of one account, read and written.

import { expect, test } from 'vitest';
import { decodeAccount, encodeAccount } from '#entity/account-record.ts';

const record = {
  format: 1 as const,
  name: 'anna',
  operator: false,
  disabled: false,
  groups: ['dev'],
  createdAt: '2026-01-01T00:00:00.000Z',
  tokens: [],
  keys: [],
};

test('a record comes back as it was written, unknown fields included', () => {
  const text = encodeAccount({ ...record, pronouns: 'she' } as typeof record);
  expect(decodeAccount('anna', text)).toEqual({ ok: true, record: { ...record, pronouns: 'she' } });
});

test.each([
  ['', /JSON/],
  ['[]', /format/],
  ['null', /content/],
  [JSON.stringify({ ...record, format: 2 }), /format/],
  [JSON.stringify({ ...record, name: 'bert' }), /name/],
  [JSON.stringify({ ...record, disabled: 'no' }), /disabled/],
  [JSON.stringify({ ...record, groups: [1] }), /groups/],
  [JSON.stringify({ ...record, tokens: [{ id: 'x' }] }), /tokens/],
  [JSON.stringify({ ...record, createdAt: 'yesterday' }), /createdAt/],
])('%s is no account', (text, reason) => {
  const decoded = decodeAccount('anna', text);
  expect(decoded.ok ? '' : decoded.sentence).toMatch(reason);
});
