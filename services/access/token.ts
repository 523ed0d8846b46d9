// Access tokens: `wrn_` and 40 characters of [A-Za-z0-9]. Made here, shown once, stored only as a hash.
// SHA-256 without salt or stretching is right for them: a token is 238 random bits, so there is nothing to guess
// and no two are equal; a slow hash would only slow each request. (Passwords are guessable: password.ts.)

import { createHash, timingSafeEqual } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const secretChars = 40;
/** The largest multiple of 62 in a byte: bytes at or above it are thrown away, else some characters came up more. */
const usableBelow = 256 - (256 % alphabet.length);

/** @param randomBytes a cryptographic source. */
export function generateToken(randomBytes: (count: number) => Uint8Array): string {
  let secret = '';
  while (secret.length < secretChars) {
    for (const byte of randomBytes(secretChars)) {
      if (byte < usableBelow && secret.length < secretChars) {
        secret += alphabet.charAt(byte % alphabet.length);
      }
    }
  }
  return `wrn_${secret}`;
}

/** True for text of the form of a token, whether or not it is one. */
export function isTokenShaped(text: string): boolean {
  return /^wrn_[A-Za-z0-9]{40}$/.test(text);
}

/** The form in which a token is stored and looked up. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Compares two hashes in constant time. The table was asked by hash before, whose timing tells at most how a
 * hash that nobody can choose is bucketed; this closes the last step.
 */
export function isSameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}
