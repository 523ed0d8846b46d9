// Accounts, tokens and keys over HTTP, by their owner, by an operator and by everyone else.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiServer, startApiServer } from '#support/api-server.ts';
import { type LeakWatch, watchLeaks } from '#support/leak-check.ts';
import { sshKeys } from '#support/ssh-keys.ts';

let leaks: LeakWatch;
let api: ApiServer;
let admin: { token: string };
let anna: { token: string };

beforeAll(async () => {
  leaks = await watchLeaks();
  api = await startApiServer();
  admin = { token: api.adminToken };
  await api.call('POST', '/accounts', { ...admin, body: { name: 'anna', groups: ['dev'] } });
  await api.call('POST', '/accounts', { ...admin, body: { name: 'bert' } });
  const made = await api.call('POST', '/accounts/anna/tokens', { ...admin, body: { name: 'one' } });
  anna = { token: String(made.json['token']) };
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await leaks.check();
});

test('who am I: by token, by password, by none', async () => {
  expect((await api.call('GET', '/user', anna)).json).toEqual({
    name: 'anna',
    operator: false,
    groups: ['dev'],
    readOnly: false,
  });
  const set = await api.call('PATCH', '/accounts/anna', {
    ...anna,
    body: { password: 'correct horse' },
  });
  expect(set.json).toMatchObject({ name: 'anna', hasPassword: true });
  expect(set.text).not.toContain('scrypt');
  const basic = (password: string) => ({
    headers: { authorization: `Basic ${Buffer.from(`anna:${password}`).toString('base64')}` },
  });
  expect((await api.call('GET', '/user', basic('correct horse'))).status).toBe(200);
  expect((await api.call('GET', '/user', basic('wrong horse'))).status).toBe(401);
  const none = await api.call('GET', '/user');
  expect(none.status).toBe(401);
  expect(none.headers.get('www-authenticate')).toBe('Bearer realm="Warren"');
});

test('a token is shown once, works at once, and is refused at once when revoked', async () => {
  const body = { name: 'ci', readOnly: true, expiresAt: '2999-01-01' };
  const made = await api.call('POST', '/accounts/anna/tokens', { ...anna, body });
  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({
    name: 'ci',
    readOnly: true,
    expiresAt: '2999-01-01T00:00:00.000Z',
  });
  const token = String(made.json['token']);
  const listed = await api.call('GET', '/accounts/anna/tokens', anna);
  expect(listed.text).toContain('"name":"ci"');
  expect(listed.text).not.toContain(token);
  expect((await api.call('GET', '/user', { token })).json).toMatchObject({ readOnly: true });
  const write = await api.call('POST', '/accounts/anna/tokens', { token, body: { name: 'more' } });
  expect(write.json).toMatchObject({ status: 403, detail: 'This token is read-only.' });
  const path = `/accounts/anna/tokens/${String(made.json['id'])}`;
  expect((await api.call('DELETE', path, anna)).status).toBe(204);
  expect((await api.call('GET', '/user', { token })).status).toBe(401);
  expect((await api.call('DELETE', path, anna)).status).toBe(404);
});

test('a key is added, listed, belongs to one account, and is removed', async () => {
  const body = { key: sshKeys.ed25519.line };
  const added = await api.call('POST', '/accounts/anna/keys', { ...anna, body });
  expect(added.status).toBe(201);
  expect(added.json).toMatchObject({
    title: 'made for a test',
    fingerprint: sshKeys.ed25519.fingerprint,
  });
  const again = await api.call('POST', '/accounts/bert/keys', { ...admin, body });
  expect(again.json).toMatchObject({ status: 409, code: 'CONFLICT' });
  const bad = await api.call('POST', '/accounts/anna/keys', {
    ...anna,
    body: { key: 'ssh-dss x' },
  });
  expect(bad.json).toMatchObject({ status: 422, code: 'INVALID' });
  expect(String(bad.json['detail'])).toMatch(/^DSA keys are not accepted/);
  const path = `/accounts/anna/keys/${String(added.json['id'])}`;
  expect((await api.call('DELETE', path, anna)).status).toBe(204);
  expect((await api.call('GET', '/accounts/anna/keys', anna)).json).toEqual({
    items: [],
    next: null,
  });
});

test('others are told no, the same whether the account exists or not', async () => {
  for (const account of ['bert', 'nobody']) {
    for (const path of [`/accounts/${account}/tokens`, `/accounts/${account}/keys`]) {
      const refused = await api.call('GET', path, anna);
      expect(refused.json).toMatchObject({
        status: 403,
        detail: 'Only the account itself or an operator may do this.',
      });
      expect((await api.call('GET', path)).status).toBe(401);
    }
  }
  expect((await api.call('GET', '/accounts', anna)).status).toBe(403);
  expect((await api.call('GET', '/limits', anna)).status).toBe(403);
  const body = { groups: ['admins'] };
  expect((await api.call('PATCH', '/accounts/anna', { ...anna, body })).status).toBe(403);
  expect((await api.call('GET', '/accounts/nobody/keys', admin)).status).toBe(404);
});

test('an operator disables an account, which ends all it has, but not the last operator', async () => {
  const made = await api.call('POST', '/accounts/bert/tokens', { ...admin, body: { name: 'x' } });
  const bert = { token: String(made.json['token']) };
  expect((await api.call('GET', '/user', bert)).status).toBe(200);
  const disable = { ...admin, body: { disabled: true } };
  expect((await api.call('PATCH', '/accounts/bert', disable)).json).toMatchObject({
    disabled: true,
  });
  expect((await api.call('GET', '/user', bert)).status).toBe(401);
  expect((await api.call('PATCH', '/accounts/admin', disable)).status).toBe(409);
});

test('bad accounts are refused with a sentence', async () => {
  const add = (body: unknown) => api.call('POST', '/accounts', { ...admin, body });
  expect((await add({ name: 'anna' })).json).toMatchObject({ status: 409 });
  expect((await add({ name: 'Anna' })).json).toMatchObject({ status: 422 });
  expect((await add({ name: 'carl', password: 'short' })).json).toMatchObject({ status: 422 });
  const past = { name: 'x', expiresAt: '2001-01-01' };
  const late = await api.call('POST', '/accounts/anna/tokens', { ...anna, body: past });
  expect(late.json).toMatchObject({ status: 422, detail: '"expiresAt" is not a time to come.' });
  const list = await api.call('GET', '/accounts?limit=2', admin);
  expect(list.json['items']).toHaveLength(2);
  const rest = await api.call('GET', `/accounts?cursor=${String(list.json['next'])}`, admin);
  expect(rest.json).toMatchObject({ items: [{ name: 'bert' }], next: null });
});
