// Remembers for a short while that a password was right: scrypt takes about 0.1 s and git sends Basic on each request.
// Holds no password: the key is an HMAC, under a key of this process, over name, password and the stored hash;
// so a changed password is a miss by itself, and a dump of memory gives nothing to try against elsewhere.

import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';

const maxEntries = 4096;

export type PasswordCache = {
  keyOf(name: string, password: string, storedHash: string): string;
  has(key: string): boolean;
  add(key: string): void;
};

export function createPasswordCache(clock: Clock, ttlMs = 60_000): PasswordCache {
  const secret = randomBytes(32);
  /** Insertion order is order of expiry, so the oldest are first. */
  const expiry = new Map<string, number>();

  return {
    keyOf: (name, password, storedHash) =>
      createHmac('sha256', secret)
        .update(JSON.stringify([name, password, storedHash]))
        .digest('base64'),
    has(key) {
      const until = expiry.get(key);
      return until !== undefined && clock.monotonicMs() < until;
    },
    add(key) {
      expiry.delete(key);
      for (const [old, until] of expiry) {
        if (until > clock.monotonicMs() && expiry.size < maxEntries) break;
        expiry.delete(old);
      }
      expiry.set(key, clock.monotonicMs() + ttlMs);
    },
  };
}
