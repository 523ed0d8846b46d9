// Who is asking: credentials → Actor. Called by transport and api once a request, and by SSH once a command (a
// connection outlives a revocation, so a key is asked about again). authorize.ts decides what the actor may do.
// Must stay true: an unknown account, a wrong password and a disabled account look and take the same.

import type { Clock } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#model/actor.ts';
import type { AccountDirectory, AccountSnapshot } from '#access/account-directory.ts';
import { readAuthorization } from '#access/authorization-header.ts';
import { dummyPasswordHash, verifyPassword } from '#access/password.ts';
import { createPasswordCache } from '#access/password-cache.ts';
import type { PasswordSlots } from '#access/password-slots.ts';
import { fingerprintOf } from '#access/ssh-key.ts';
import { hashToken, isSameHash } from '#access/token.ts';
import { assertNever } from '#kernel/assert-never.ts';

export type AccountActor = Extract<Actor, { kind: 'account' }>;

export type Authentication =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'authenticated'; readonly actor: AccountActor }
  | { readonly kind: 'invalid' };

export type Authenticator = {
  /**
   * Bearer with a token; Basic with a token as password (or as name), or an account's name and password.
   * @throws LIMIT_REACHED when too many passwords are being checked already.
   */
  authenticateHttp(ctx: Context, authorization: string | undefined): Promise<Authentication>;
  /** @param publicKey the blob of the key whose signature the SSH server has verified. */
  authenticateKey(publicKey: Uint8Array): Exclude<Authentication, { kind: 'anonymous' }>;
};

const invalid = { kind: 'invalid' } as const;

export function createAuthenticator(deps: {
  directory: AccountDirectory;
  slots: PasswordSlots;
  clock: Clock;
}): Authenticator {
  const { directory, slots, clock } = deps;
  const cache = createPasswordCache(clock);

  function byToken(token: string) {
    const hash = hashToken(token);
    const match = directory.findByTokenHash(hash);
    if (match === undefined || !isSameHash(match.hash, hash)) return invalid;
    if (match.expiresAtMs !== undefined && match.expiresAtMs <= clock.now()) return invalid;
    return signIn(match.account, match.readOnly);
  }

  async function byPassword(ctx: Context, name: string, password: string) {
    const stored = directory.findPasswordHash(name) ?? dummyPasswordHash;
    const key = cache.keyOf(name, password, stored);
    const isKnown = cache.has(key);
    if (!isKnown && !(await verifyPassword(ctx, slots, password, stored))) return invalid;
    // Asked after the wait: the account may have been disabled, or its password changed, meanwhile.
    const account = directory.findByName(name);
    if (account === undefined || directory.findPasswordHash(name) !== stored) return invalid;
    const result = signIn(account, false);
    // Only a sign-in is remembered: a disabled account takes its time again.
    if (!isKnown && result.kind === 'authenticated') cache.add(key);
    return result;
  }

  return {
    async authenticateHttp(ctx, authorization) {
      const credential = readAuthorization(authorization);
      switch (credential.kind) {
        case 'none':
          return { kind: 'anonymous' };
        case 'malformed':
          return invalid;
        case 'token':
          return byToken(credential.token);
        case 'password':
          return byPassword(ctx, credential.name, credential.password);
        default:
          return assertNever(credential);
      }
    },
    authenticateKey(publicKey) {
      const match = directory.findByKeyFingerprint(fingerprintOf(publicKey));
      return match === undefined ? invalid : signIn(match.account, false);
    },
  };
}

function signIn(account: AccountSnapshot, readOnly: boolean) {
  if (account.disabled) return invalid;
  const { name, groups, operator } = account;
  const actor: AccountActor = {
    kind: 'account',
    name,
    groups,
    operator,
    ...(readOnly && { readOnly }),
  };
  return { kind: 'authenticated', actor } as const;
}
