// What is found in memory after a change.

import { expect, test } from 'vitest';
import type { AccountRecord } from '#entity/account-record.ts';
import { AccountTable } from '#entity/account-table.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const token = { id: 't', name: 'ci', hash: 'a'.repeat(64), readOnly: false, createdAt };
const key = { id: 'k', title: 'x', type: 'ssh-ed25519', blob: 'AA', fingerprint: 'f', createdAt };
const anna: AccountRecord = {
  format: 1,
  name: 'anna',
  operator: false,
  disabled: false,
  groups: [],
  createdAt,
  tokens: [token],
  keys: [key],
};

test('what a newer record does not hold is not found any more', () => {
  const table = new AccountTable([anna]);
  expect(table.findToken(token.hash)?.record.name).toBe('anna');
  expect(table.findKey('f')?.key.id).toBe('k');
  table.put({ ...anna, tokens: [], keys: [] });
  expect(table.findToken(token.hash)).toBeUndefined();
  expect(table.findKey('f')).toBeUndefined();
});

test('a found token brings the account as it is now', () => {
  const table = new AccountTable([anna]);
  table.put({ ...anna, disabled: true });
  expect(table.findToken(token.hash)?.record.disabled).toBe(true);
});

test('an unreadable account is nobody, but its name is taken and the table is not empty', () => {
  const table = new AccountTable([], ['bert']);
  expect(table.get('bert')).toBeUndefined();
  expect(table.isTaken('bert')).toBe(true);
  expect(table.isEmpty()).toBe(false);
  expect(new AccountTable().isEmpty()).toBe(true);
});
