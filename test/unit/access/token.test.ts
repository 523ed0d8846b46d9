// What tokens look like, and that they are fair.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateToken, hashToken, isSameHash, isTokenShaped } from '#access/token.ts';

test('a token has the form everything else looks for', () => {
  const tokens = new Set(Array.from({ length: 100 }, () => generateToken(randomBytes)));
  expect(tokens.size).toBe(100);
  for (const token of tokens) expect(token).toMatch(/^wrn_[A-Za-z0-9]{40}$/);
});

test('bytes that would favour some characters are thrown away', () => {
  // 248–255 would be A–H a second time.
  const source = [255, 248, 0, 61, 62];
  let at = 0;
  const token = generateToken((count) =>
    Uint8Array.from({ length: count }, () => source[at++ % source.length] ?? 0),
  );
  expect(token).toBe(`wrn_${'A9A'.repeat(14).slice(0, 40)}`);
});

test('every character comes up about as often', () => {
  const counts = new Map<string, number>();
  for (let round = 0; round < 2000; round++) {
    for (const char of generateToken(randomBytes).slice(4)) {
      counts.set(char, (counts.get(char) ?? 0) + 1);
    }
  }
  const mean = (2000 * 40) / 62;
  expect(counts.size).toBe(62);
  // Eight standard deviations; with modulo bias the first eight were 25 % above.
  for (const count of counts.values()) {
    expect(Math.abs(count - mean)).toBeLessThan(8 * Math.sqrt(mean));
  }
});

test('hashes are compared whole', () => {
  const hash = hashToken(generateToken(randomBytes));
  expect(isSameHash(hash, hash)).toBe(true);
  expect(isSameHash(hash, hash.slice(2))).toBe(false);
  expect(isSameHash(hash, `${hash.slice(0, -2)}zz`)).toBe(false);
});

test.each(['wrn_', `wrn_${'a'.repeat(39)}`, `wrn_${'a'.repeat(41)}`, `wrn_${'-'.repeat(40)}`])(
  '%s is no token',
  (text) => expect(isTokenShaped(text)).toBe(false),
);
