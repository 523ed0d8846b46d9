// Who is signed in by what, what it costs, and when it stops.

import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { AccountDirectory, AccountSnapshot } from '#access/account-directory.ts';
import { createAuthenticator } from '#access/authenticate.ts';
import { hashPassword } from '#access/password.ts';
import { createTestPasswordSlots } from '#support/password-slots.ts';
import { fingerprintOf } from '#access/ssh-key.ts';
import { generateToken, hashToken } from '#access/token.ts';
import { silentLog } from '#kernel/log.ts';
import { createFakeClock } from '#support/fake-clock.ts';

const ctx = { signal: new AbortController().signal, log: silentLog };
const basic = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
const keyBlob = Buffer.from('a public key');

function account(name: string, more: Partial<AccountSnapshot> = {}): AccountSnapshot {
  return { name, groups: [], operator: false, disabled: false, ...more };
}

async function setUp() {
  const slots = createTestPasswordSlots();
  const run = vi.spyOn(slots, 'run');
  const clock = createFakeClock();
  const token = generateToken(randomBytes);
  const expiring = generateToken(randomBytes);
  const accounts = new Map([['anna', account('anna', { groups: ['dev'] })]]);
  const passwords = new Map([['anna', await hashPassword(ctx, slots, 'correct horse')]]);
  const anna = () => accounts.get('anna') ?? account('anna', { disabled: true });
  const tokenBase = { tokenId: 't', readOnly: false, expiresAtMs: undefined };
  const directory: AccountDirectory = {
    findByTokenHash(hash) {
      if (hash === hashToken(token)) return { ...tokenBase, account: anna(), hash };
      if (hash !== hashToken(expiring)) return undefined;
      const expiresAtMs = 1_700_000_060_000;
      return { ...tokenBase, account: anna(), hash, readOnly: true, expiresAtMs };
    },
    findByKeyFingerprint: (fingerprint) =>
      fingerprint === fingerprintOf(keyBlob) ? { account: anna(), keyId: 'k' } : undefined,
    findByName: (name) => accounts.get(name),
    findPasswordHash: (name) => passwords.get(name),
    version: () => 0,
    onChange: () => ({ [Symbol.dispose]() {} }),
  };
  run.mockClear();
  const authenticator = createAuthenticator({ directory, slots, clock });
  const ask = (header: string | undefined) => authenticator.authenticateHttp(ctx, header);
  return { authenticator, ask, accounts, passwords, clock, run, slots, token, expiring };
}

test('tokens, passwords and keys sign in, and nothing stays anonymous', async () => {
  const { ask, authenticator, token } = await setUp();
  const anna = {
    kind: 'authenticated',
    actor: { kind: 'account', name: 'anna', groups: ['dev'], operator: false },
  };
  expect(await ask(undefined)).toEqual({ kind: 'anonymous' });
  expect(await ask(`Bearer ${token}`)).toEqual(anna);
  expect(await ask(basic('whoever', token))).toEqual(anna);
  expect(await ask(basic('anna', 'correct horse'))).toEqual(anna);
  expect(authenticator.authenticateKey(keyBlob)).toEqual(anna);
  expect(authenticator.authenticateKey(Buffer.from('another'))).toEqual({ kind: 'invalid' });
  for (const header of ['', 'Basic', `Bearer ${generateToken(randomBytes)}`]) {
    expect(await ask(header)).toEqual({ kind: 'invalid' });
  }
});

test('a token stops at its expiry and says that it is read-only until then', async () => {
  const { ask, clock, expiring } = await setUp();
  expect(await ask(`Bearer ${expiring}`)).toMatchObject({ actor: { readOnly: true } });
  clock.advance(59_999);
  expect(await ask(`Bearer ${expiring}`)).toMatchObject({ kind: 'authenticated' });
  clock.advance(1);
  expect(await ask(`Bearer ${expiring}`)).toEqual({ kind: 'invalid' });
});

test('an unknown account costs the same hashing as a wrong password, a disabled one too', async () => {
  const { ask, accounts, run } = await setUp();
  expect(await ask(basic('nobody', 'correct horse'))).toEqual({ kind: 'invalid' });
  expect(await ask(basic('anna', 'wrong horse'))).toEqual({ kind: 'invalid' });
  accounts.set('anna', account('anna', { disabled: true }));
  expect(await ask(basic('anna', 'correct horse'))).toEqual({ kind: 'invalid' });
  expect(await ask(basic('anna', 'correct horse'))).toEqual({ kind: 'invalid' });
  expect(run).toHaveBeenCalledTimes(4);
});

test('a right password is hashed once a minute; a change or a disabled account counts at once', async () => {
  const { ask, accounts, passwords, clock, run, slots } = await setUp();
  const header = basic('anna', 'correct horse');
  for (let request = 0; request < 5; request++) {
    expect(await ask(header)).toMatchObject({ kind: 'authenticated' });
  }
  expect(run).toHaveBeenCalledTimes(1);
  clock.advance(60_000);
  await ask(header);
  expect(run).toHaveBeenCalledTimes(2);
  accounts.set('anna', account('anna', { disabled: true }));
  expect(await ask(header)).toEqual({ kind: 'invalid' });
  accounts.set('anna', account('anna'));
  passwords.set('anna', await hashPassword(ctx, slots, 'another horse'));
  expect(await ask(header)).toEqual({ kind: 'invalid' });
});

test('an account disabled while its password is being checked is not signed in', async () => {
  const { ask, accounts } = await setUp();
  const asking = ask(basic('anna', 'correct horse'));
  accounts.set('anna', account('anna', { disabled: true }));
  expect(await asking).toEqual({ kind: 'invalid' });
});
