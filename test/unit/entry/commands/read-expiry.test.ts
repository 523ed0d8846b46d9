import { expect, test } from 'vitest';
import { readExpiry } from '#entry/commands/read-expiry.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

test.each([
  ['30d', '2026-03-31T12:00:00.000Z'],
  ['12h', '2026-03-02T00:00:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2026-03-01T12:01Z', '2026-03-01T12:01:00.000Z'],
])('%s is a time to come', (text, time) => {
  expect(readExpiry(text, nowMs)).toBe(time);
});

test.each([
  '0d',
  '30',
  '-1d',
  '2026-03-01',
  '2026-13-01',
  '01/02/2027',
  'soon',
  '999999d',
  '9999-01-01',
  '',
])('%j is none', (text) => {
  expect(readExpiry(text, nowMs)).toBeUndefined();
});
