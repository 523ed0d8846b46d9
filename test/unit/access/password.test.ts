// Encodings of passwords: new, old, broken, and the dummy.

import { expect, test } from 'vitest';
import {
  dummyPasswordHash,
  hashPassword,
  passwordProblem,
  verifyPassword,
} from '#access/password.ts';
import { createTestPasswordSlots } from '#support/password-slots.ts';
import { silentLog } from '#kernel/log.ts';

const ctx = { signal: new AbortController().signal, log: silentLog };
const slots = createTestPasswordSlots();

test('a password verifies against its own encoding only, however it was composed', async () => {
  const encoded = await hashPassword(ctx, slots, 'caf\u00e9 noir');
  expect(encoded).toMatch(/^\$scrypt\$ln=15,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
  expect(await verifyPassword(ctx, slots, 'cafe\u0301 noir', encoded)).toBe(true);
  expect(await verifyPassword(ctx, slots, 'cafe noir', encoded)).toBe(false);
  expect(await hashPassword(ctx, slots, 'caf\u00e9 noir')).not.toBe(encoded);
});

test('an encoding of an older, cheaper cost still verifies', async () => {
  // scrypt('old password', salt of 16 zero bytes, N = 2^14)
  const { scryptSync } = await import('node:crypto');
  const hash = scryptSync('old password', Buffer.alloc(16), 32, { N: 2 ** 14, r: 8, p: 1 });
  const salt = Buffer.alloc(16).toString('base64url');
  const encoded = `$scrypt$ln=14,r=8,p=1$${salt}$${hash.toString('base64url')}`;
  expect(await verifyPassword(ctx, slots, 'old password', encoded)).toBe(true);
});

test.each([
  '',
  'plain',
  '$scrypt$ln=15,r=8,p=1$x$y',
  dummyPasswordHash.replace('ln=15', 'ln=40'),
  dummyPasswordHash.replace('r=8', 'r=0'),
])('the encoding %j matches nothing and costs nothing', async (encoded) => {
  const startedAt = performance.now();
  expect(await verifyPassword(ctx, slots, 'password', encoded)).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(20);
});

test('the dummy matches no password and takes as long as a real one', async () => {
  const startedAt = performance.now();
  expect(await verifyPassword(ctx, slots, 'password', dummyPasswordHash)).toBe(false);
  expect(performance.now() - startedAt).toBeGreaterThan(20);
});

test.each([
  ['short', /at least 8/],
  ['x'.repeat(1025), /at most 1024/],
  ['with\nnewline', /control/],
  [`wrn_${'a'.repeat(40)}`, /token/],
])('%j is no usable password', (password, reason) => {
  expect(passwordProblem(password)).toMatch(reason);
});
