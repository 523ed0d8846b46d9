// What any request to the api can do wrong, and what it is told; nothing is left and nothing of the inside is shown.

import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Refusal } from '#admission/refusal.ts';
import type { ImportProgress } from '#api/api-dependencies.ts';
import { type ApiServer, startApiServer } from '#support/api-server.ts';
import { type LeakWatch, watchLeaks } from '#support/leak-check.ts';

let leaks: LeakWatch;
let api: ApiServer;
let admin: { token: string };
let refusal: Refusal | undefined;
const progress: ImportProgress = {
  id: 'i1',
  repository: 'team/app',
  state: 'running',
  phase: 'Receiving objects',
  percent: 40,
  sentence: null,
};

beforeAll(async () => {
  leaks = await watchLeaks();
  api = await startApiServer({
    admitWrite: () => refusal,
    applyManifests: (_, text) =>
      Promise.resolve(
        text.includes('kind: Repository')
          ? {
              kind: 'applied',
              objects: [{ kind: 'Repository', namespace: 'a', name: 'b', outcome: 'created' }],
            }
          : { kind: 'refused', problems: [{ line: 3, sentence: 'there is no field "nmae"' }] },
      ),
    readLimits() {
      throw new Error('secret inside');
    },
    imports: {
      start: (_, by, { source }) =>
        Promise.resolve(
          source.startsWith('https:') && by === 'admin'
            ? { kind: 'started', progress }
            : { kind: 'refused', code: 'INVALID', sentence: 'That is no address.' },
        ),
      find: (id) => (id === 'i1' ? progress : undefined),
    },
  });
  admin = { token: api.adminToken };
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await leaks.check();
});

type Mistake = [string, string, Record<string, unknown>, [number, RegExp?]];
const mistakes: Mistake[] = [
  ['GET', '/nothing', {}, [404]],
  ['GET', '/user/', {}, [404]],
  ['DELETE', '/user', {}, [405]],
  ['GET', '/accounts?limit=0', {}, [400, /from 1 to 100/]],
  ['GET', '/accounts?limit=101', {}, [400, /from 1 to 100/]],
  ['GET', '/accounts?cursor=%00', {}, [400, /cursor/]],
  ['GET', '/accounts?limt=3', {}, [400, /takes no parameter "limt"/]],
  ['GET', '/accounts?limit=3&limit=4', {}, [400, /twice/]],
  ['GET', '/user?x', {}, [400, /takes no parameter/]],
  ['GET', '/repositories/a/%ff', {}, [400, /decoded/]],
  ['POST', '/accounts', { body: '{"name": "a",}' }, [400, /not valid JSON \(line 1 column 14\)/]],
  ['POST', '/accounts', { body: '' }, [400, /empty/]],
  ['POST', '/accounts', { body: '[]' }, [400, /must be object/]],
  ['POST', '/accounts', { body: {} }, [400, /"name" is missing/]],
  ['POST', '/accounts', { body: { name: 1 } }, [400, /"name" must be string/]],
  ['POST', '/accounts', { body: { name: 'a', grups: [] } }, [400, /"grups" is no field.*groups\?/]],
  ['POST', '/accounts', { body: '{"name":"a","__proto__":{}}' }, [400, /"__proto__" is no field/]],
  ['POST', '/accounts', { body: 'x'.repeat(2 ** 20 + 1) }, [413, /1 MiB/]],
  [
    'POST',
    '/imports',
    { body: { source: 'x', repository: 'app' } },
    [400, /"repository" must match/],
  ],
  ['POST', '/imports', { body: { source: 'x', repository: 'a/b' } }, [422, /no address/]],
  ['GET', '/imports/none', {}, [404]],
  ['PATCH', '/accounts/admin', { body: {} }, [400, /nothing to change/]],
];

test.each(mistakes)(
  '%s %s with %o is answered with %o',
  async (method, path, options, [status, detail]) => {
    const reply = await api.call(method, path, { ...admin, ...options });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.json).toMatchObject({
      status,
      type: expect.stringMatching(/^urn:warren:problem:[a-z-]+$/),
      title: expect.any(String),
      code: expect.stringMatching(/^[A-Z_]+$/),
    });
    if (detail !== undefined) expect(reply.json['detail']).toMatch(detail);
  },
);

test.each([
  [{ 'content-type': 'text/plain' }, 415],
  [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
  [{ 'content-type': 'application/json; charset=latin1' }, 415],
  [{ 'content-type': 'application/json; charset=UTF-8' }, 400],
  [{ 'content-encoding': 'compress' }, 415],
  [{ 'content-encoding': 'gzip' }, 400],
])('headers %o are answered with %i', async (headers, status) => {
  const reply = await api.call('POST', '/accounts', { ...admin, body: '{', headers });
  expect(reply.status).toBe(status);
});

test('a gzip bomb is refused at 1 MiB of what it would become', async () => {
  const reply = await fetch(`${api.url}/accounts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: gzipSync(Buffer.alloc(64 * 2 ** 20, ' ')),
  });
  expect(reply.status).toBe(413);
  await reply.body?.cancel();
});

test('a 405 says what is allowed, and HEAD is a GET without its body', async () => {
  const refused = await api.call('PUT', '/accounts', admin);
  expect(refused.headers.get('allow')).toBe('GET, POST, HEAD');
  const head = await api.call('HEAD', '/user', admin);
  expect([head.status, head.text]).toEqual([200, '']);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10);
});

test('wrong credentials are refused even where none are needed', async () => {
  for (const path of ['/repositories', '/openapi.json', '/repositories/a/b']) {
    const headers = { authorization: 'Bearer wrong' };
    expect((await api.call('GET', path, { headers })).status).toBe(401);
  }
});

test('manifests are applied, or refused with their lines', async () => {
  const yaml = { 'content-type': 'text/yaml' };
  const send = (body: string, headers = yaml) =>
    api.call('POST', '/manifests', { ...admin, body, headers });
  expect((await send('kind: Repository')).json).toMatchObject({
    objects: [{ name: 'b', outcome: 'created' }],
  });
  const refused = await send('kind: Other');
  expect(refused.json).toMatchObject({
    status: 422,
    code: 'MANIFEST_INVALID',
    detail: 'line 3: there is no field "nmae"',
    problems: [{ line: 3, sentence: 'there is no field "nmae"' }],
  });
  expect((await send('{}', { 'content-type': 'application/json' })).status).toBe(415);
});

test('an import is begun and asked about', async () => {
  const body = { source: 'https://example.org/app.git', repository: 'team/app' };
  const begun = await api.call('POST', '/imports', { ...admin, body });
  expect(begun.status).toBe(202);
  expect(begun.headers.get('location')).toBe('/api/v1/imports/i1');
  expect((await api.call('GET', '/imports/i1', admin)).json).toEqual(progress);
});

test('a refused write says which limit and when to come back, and reads go on', async () => {
  refusal = {
    kind: 'refused',
    limit: 'api_rate',
    scope: 'client',
    reason: 'rate',
    retryAfterSeconds: 7,
    sentence: 'API writes of one account are limited',
  };
  try {
    const reply = await api.call('POST', '/accounts', { ...admin, body: { name: 'late' } });
    expect(reply.json).toMatchObject({ status: 429, code: 'LIMIT_REACHED', limit: 'api_rate' });
    expect(reply.headers.get('retry-after')).toBe('7');
    expect(reply.headers.get('x-warren-limit')).toBe('api_rate;reason=rate');
    expect((await api.call('GET', '/accounts', admin)).status).toBe(200);
    expect(api.store.getAccount('late')).toBeUndefined();
  } finally {
    refusal = undefined;
  }
});

test('a failure inside is logged and shows nothing', async () => {
  const reply = await api.call('GET', '/limits', admin);
  expect(reply.status).toBe(500);
  expect(reply.text).not.toContain('secret inside');
  expect(api.logged.join('\n')).toContain('secret inside');
});

test('a client that goes away in the middle of its body leaves nothing and is no error', async () => {
  const before = api.logged.length;
  const { port } = new URL(api.url);
  for (let round = 0; round < 5; round++) {
    const call = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/accounts',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'content-length': 1000,
      },
    });
    call.on('error', () => {});
    call.write('{"name":');
    await new Promise((resolve) => setTimeout(resolve, 10));
    call.destroy();
  }
  expect((await api.call('GET', '/user', admin)).status).toBe(200);
  expect(api.logged).toHaveLength(before);
});
