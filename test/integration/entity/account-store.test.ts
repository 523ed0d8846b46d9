// The account store on a real repository: what is written, what is kept, what other processes' writes do.

import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAuthenticator } from '#access/authenticate.ts';
import { createTestPasswordSlots } from '#support/password-slots.ts';
import { hashToken } from '#access/token.ts';
import { ensureFirstAccount } from '#entity/first-account.ts';
import { systemClock } from '#kernel/clock.ts';
import { openTestAccounts, testContext as ctx } from '#support/account-store.ts';
import { eventually } from '#support/eventually.ts';
import { watchLeaks } from '#support/leak-check.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKSUxyjLbVGT2nkTLgqXSjsRHsYFpZVLtFY8zh3lBE anna@laptop';

test('accounts, tokens and keys are there again after a restart, and tokens stand nowhere in clear', async () => {
  await using _leaks = await watchLeaks();
  await using folder = await createTempDirectory('accounts');
  let token = '';
  {
    await using opened = await openTestAccounts(folder.path);
    const { store } = opened;
    const added = await store.addAccount(ctx, 'admin', { name: 'anna', groups: ['dev', 'dev'] });
    expect(added).toMatchObject({ kind: 'done', value: { name: 'anna', groups: ['dev'] } });
    const created = await store.createToken(ctx, 'anna', 'anna', { name: 'ci', readOnly: true });
    if (created.kind !== 'done') throw new Error(created.sentence);
    ({ token } = created.value);
    const keyed = await store.addKey(ctx, 'anna', 'anna', { line: key });
    expect(keyed).toMatchObject({ kind: 'done', value: { title: 'anna@laptop' } });
  }
  await using again = await openTestAccounts(folder.path);
  expect(again.store.listAccounts()).toHaveLength(1);
  expect(again.store.findByTokenHash(hashToken(token))).toMatchObject({
    account: { name: 'anna', groups: ['dev'] },
    readOnly: true,
  });
  expect(again.store.listKeys('anna')).toHaveLength(1);
  const stored = await again.git(ctx, {
    args: ['show', 'refs/warren/accounts:accounts/anna.json'],
  });
  expect(stored.stdout.toString()).toContain(hashToken(token));
  expect(stored.stdout.toString()).not.toContain(token);
  const log = await again.git(ctx, { args: ['log', '--format=%an %s', 'refs/warren/accounts'] });
  expect(log.stdout.toString()).toMatch(/^anna Add key \w+ of anna\nanna Add token/);
});

test('a name, a key and a group are refused with a sentence, and nothing is written', async () => {
  await using folder = await createTempDirectory('accounts');
  await using opened = await openTestAccounts(folder.path);
  const { store, git } = opened;
  await store.addAccount(ctx, 'admin', { name: 'anna' });
  await store.addAccount(ctx, 'admin', { name: 'bert' });
  await store.addKey(ctx, 'anna', 'anna', { line: key });
  const refusals = [
    await store.addAccount(ctx, 'admin', { name: 'anna' }),
    await store.addAccount(ctx, 'admin', { name: 'Anna' }),
    await store.addAccount(ctx, 'admin', { name: 'root' }),
    await store.addAccount(ctx, 'admin', { name: 'carl', groups: ['a b'] }),
    await store.addAccount(ctx, 'admin', { name: 'carl', password: 'short' }),
    await store.addKey(ctx, 'bert', 'bert', { line: key }),
    await store.addKey(ctx, 'bert', 'bert', { line: 'ssh-ed25519 AAAA' }),
    await store.addKey(ctx, 'nobody', 'nobody', { line: key }),
    await store.revokeToken(ctx, 'anna', 'anna', 'nothing'),
    await store.createToken(ctx, 'anna', 'anna', { name: '' }),
  ];
  const codes = refusals.map((outcome) => (outcome.kind === 'refused' ? outcome.code : 'done'));
  expect(codes.join(' ')).toBe(
    'CONFLICT INVALID INVALID INVALID INVALID CONFLICT INVALID NOT_FOUND NOT_FOUND INVALID',
  );
  const count = await git(ctx, { args: ['rev-list', '--count', 'refs/warren/accounts'] });
  expect(count.stdout.toString()).toBe('3\n');
});

test('fields and files this program does not know survive its writes', async () => {
  await using folder = await createTempDirectory('accounts');
  {
    await using opened = await openTestAccounts(folder.path);
    await opened.store.addAccount(ctx, 'admin', { name: 'anna' });
    const before = await opened.git(ctx, {
      args: ['show', 'refs/warren/accounts:accounts/anna.json'],
    });
    const record = { ...JSON.parse(before.stdout.toString()), pronouns: 'she' };
    const write = async (args: string[], input: string) =>
      (await opened.git(ctx, { args, input })).stdout.toString().trim();
    const anna = await write(['hash-object', '-w', '--stdin'], JSON.stringify(record));
    const accounts = await write(
      ['mktree'],
      `100644 blob ${anna}\tanna.json\n100644 blob ${anna}\tREADME\n`,
    );
    const root = `040000 tree ${accounts}\taccounts\n100644 blob ${anna}\tnotes.txt\n`;
    const commit = await write(['commit-tree', await write(['mktree'], root)], 'foreign');
    await opened.git(ctx, { args: ['update-ref', 'refs/warren/accounts', commit] });
  }
  await using again = await openTestAccounts(folder.path);
  await again.store.changeAccount(ctx, 'admin', 'anna', { groups: ['dev'] });
  const after = await again.git(ctx, {
    args: ['show', 'refs/warren/accounts:accounts/anna.json'],
  });
  expect(JSON.parse(after.stdout.toString())).toMatchObject({ pronouns: 'she', groups: ['dev'] });
  const names = await again.git(ctx, {
    args: ['ls-tree', '-r', '--name-only', 'refs/warren/accounts'],
  });
  expect(names.stdout.toString()).toBe('accounts/README\naccounts/anna.json\nnotes.txt\n');
});

test('an account that cannot be read signs nobody in, keeps its name and spares the others', async () => {
  await using folder = await createTempDirectory('accounts');
  await using writer = await openTestAccounts(folder.path, {
    // Every blob of bert becomes something that is no account.
    wrapGit: (git) => (callCtx, call) =>
      git(callCtx, call.input?.includes('"bert"') === true ? { ...call, input: '{"a' } : call),
  });
  await writer.store.addAccount(ctx, 'admin', { name: 'anna' });
  await writer.store.addAccount(ctx, 'admin', { name: 'bert' });
  await using reader = await openTestAccounts(folder.path);
  expect(reader.store.listAccounts().map(({ name }) => name)).toEqual(['anna']);
  expect(await reader.store.addAccount(ctx, 'admin', { name: 'bert' })).toMatchObject({
    kind: 'refused',
    code: 'CONFLICT',
  });
});

test('what one process revokes another refuses within a second, and both may write', async () => {
  await using folder = await createTempDirectory('accounts');
  await using here = await openTestAccounts(folder.path);
  await here.store.addAccount(ctx, 'admin', { name: 'anna' });
  await using there = await openTestAccounts(folder.path);
  const created = await there.store.createToken(ctx, 'anna', 'anna', { name: 'ci' });
  if (created.kind !== 'done') throw new Error(created.sentence);
  const { token, id } = created.value;
  await eventually('the token is known', () => here.store.findByTokenHash(hashToken(token)), 1000);
  let changes = 0;
  using _listening = here.store.onChange(() => changes++);
  await there.store.revokeToken(ctx, 'anna', 'anna', id);
  expect(there.store.findByTokenHash(hashToken(token))).toBeUndefined();
  await eventually(
    'the token is unknown',
    () => here.store.findByTokenHash(hashToken(token)) === undefined,
    1000,
  );
  expect(changes).toBe(1);
  // Both write at once, each on memory that the other has made old: every write must be there.
  const both = Array.from({ length: 8 }, (_, at) =>
    (at % 2 === 0 ? here : there).store.addAccount(ctx, 'admin', { name: `user-${at}` }),
  );
  expect((await Promise.all(both)).every(({ kind }) => kind === 'done')).toBe(true);
  await using third = await openTestAccounts(folder.path);
  expect(third.store.listAccounts()).toHaveLength(9);
});

test('a packed ref is found and watched like a loose one', async () => {
  await using folder = await createTempDirectory('accounts');
  await using opened = await openTestAccounts(folder.path);
  await opened.store.addAccount(ctx, 'admin', { name: 'anna' });
  await opened.git(ctx, { args: ['pack-refs', '--all', '--prune'] });
  await opened.store.addAccount(ctx, 'admin', { name: 'bert' });
  await opened.git(ctx, { args: ['pack-refs', '--all', '--prune'] });
  await using again = await openTestAccounts(folder.path);
  expect(again.store.listAccounts()).toHaveLength(2);
});

test('a lock that a crash left is removed once it is old, and a young one is respected', async () => {
  await using folder = await createTempDirectory('accounts');
  await using opened = await openTestAccounts(folder.path);
  await opened.store.addAccount(ctx, 'admin', { name: 'anna' });
  const lock = join(opened.gitDir, 'refs/warren/accounts.lock');
  await writeFile(lock, '');
  await expect(opened.store.addAccount(ctx, 'admin', { name: 'bert' })).rejects.toMatchObject({
    code: 'REPOSITORY_UNUSABLE',
  });
  expect(opened.store.getAccount('bert')).toBeUndefined();
  await utimes(lock, new Date(0), new Date(0));
  expect(await opened.store.addAccount(ctx, 'admin', { name: 'bert' })).toMatchObject({
    kind: 'done',
  });
});

test('a ref that cannot be read stops the start instead of passing for a fresh one', async () => {
  await using folder = await createTempDirectory('accounts');
  {
    await using opened = await openTestAccounts(folder.path);
    await opened.store.addAccount(ctx, 'admin', { name: 'anna' });
    await writeFile(join(opened.gitDir, 'refs/warren/accounts'), '');
  }
  await expect(openTestAccounts(folder.path)).rejects.toMatchObject({
    code: 'REPOSITORY_UNUSABLE',
  });
});

test('the first start makes an operator and its token file; later ones make nothing', async () => {
  await using folder = await createTempDirectory('accounts');
  await using opened = await openTestAccounts(folder.path);
  const made = await ensureFirstAccount(ctx, opened.store, folder.path);
  const file = join(folder.path, 'admin-token');
  const text = await readFile(file, 'utf8');
  expect(made).toMatchObject({ kind: 'made', token: text.trim(), file });
  expect(text).toMatch(/^wrn_[A-Za-z0-9]{40}\n$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const authenticator = createAuthenticator({
    directory: opened.store,
    slots: createTestPasswordSlots(),
    clock: systemClock,
  });
  expect(await authenticator.authenticateHttp(ctx, `Bearer ${text.trim()}`)).toMatchObject({
    kind: 'authenticated',
    actor: { name: 'admin', operator: true },
  });
  await writeFile(file, 'lost\n');
  await using again = await openTestAccounts(folder.path);
  expect(await ensureFirstAccount(ctx, again.store, folder.path)).toEqual({ kind: 'exists' });
  expect(await readFile(file, 'utf8')).toBe('lost\n');
  expect(await again.store.changeAccount(ctx, 'admin', 'admin', { disabled: true })).toMatchObject({
    code: 'CONFLICT',
  });
});
