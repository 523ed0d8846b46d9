// The description and the routes: each route is described, each description is served, each answer fits its schema.

import { expect, test } from 'vitest';
import { Ajv } from 'ajv';
import { type ApiServer, buildCatalogState, startApiServer } from '#support/api-server.ts';
import { watchLeaks } from '#support/leak-check.ts';
import { sshKeys } from '#support/ssh-keys.ts';

type Schema = { [keyword: string]: unknown };
type Operation = {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};
type Description = { paths: Record<string, Record<string, Operation>>; components: Schema };

const everyMethod = ['get', 'post', 'put', 'patch', 'delete'];
const values: Record<string, string> = {
  namespace: 'team',
  name: 'open',
  account: 'admin',
  id: 'x',
};

async function describe(api: ApiServer): Promise<Description> {
  // The tests below look at everything in it.
  return (await api.call('GET', '/openapi.json')).json as unknown as Description;
}

function operationsOf(paths: Description['paths']) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

function fill(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

test('every path answers exactly the methods that are described', async () => {
  await using _leaks = await watchLeaks();
  await using api = await startApiServer();
  const { paths } = await describe(api);
  const operations = operationsOf(paths);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  // What Express itself has mounted, so that nothing is served that is not described.
  const described = Object.keys(paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
  expect(api.mountedPaths().sort()).toEqual(described.map((path) => `/api/v1${path}`).sort());
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of everyMethod) {
      // Without credentials: known routes answer 200, 401 or 404 of their own, none does anything.
      const { status, json } = await api.call(method.toUpperCase(), fill(path));
      expect([path, method, status !== 405]).toEqual([path, method, method in methods]);
      const expected = method in methods ? Object.keys(methods[method]?.responses ?? {}) : ['405'];
      expect(expected).toContain(String(status));
      if (status >= 400) expect(json).toMatchObject({ status });
    }
  }
});

test('what is answered fits the schema that describes it', async () => {
  const state = buildCatalogState([{ id: 'team/open', visibility: 'public' }], {
    'team/docs': 'open',
  });
  await using api = await startApiServer({
    catalog: { state: () => state },
    readLimits: () => [
      {
        name: 'git_http',
        bounds: 'fetches running',
        unit: 'slots',
        limit: 16,
        inUse: 1,
        waiting: 0,
        refused: 2,
        mode: 'enforce',
      },
    ],
  });
  const { paths, components } = await describe(api);
  const ajv = new Ajv({ strict: false, formats: { 'date-time': true } });
  function expectFit(schema: Schema | undefined, value: unknown, what: string): void {
    expect(schema, `${what} has a schema`).toBeDefined();
    ajv.validate({ ...schema, components }, value);
    expect(ajv.errors ?? [], what).toEqual([]);
  }
  const bodies: Record<string, unknown> = {
    addAccount: { name: 'anna', password: 'correct horse' },
    changeAccount: { groups: ['ops'] },
    createToken: { name: 'ci', expiresAt: '2999-01-01T10:00:00Z' },
    addKey: { key: sshKeys.ecdsa384.line },
  };
  const calls = operationsOf(paths)
    .filter(({ method, operation }) => method === 'get' || operation.operationId in bodies)
    // Lists last, so that they have something to list.
    .sort((a, b) => Number(a.method === 'get') - Number(b.method === 'get'));
  for (const { path, method, operation } of calls) {
    const body = bodies[operation.operationId];
    const options = body === undefined ? {} : { body };
    const reply = await api.call(method.toUpperCase(), fill(path), {
      token: api.adminToken,
      ...options,
    });
    const what = `${method} ${path} ${reply.status}`;
    const type = reply.headers.get('content-type') ?? '';
    expectFit(operation.responses[reply.status]?.content?.[type]?.schema, reply.json, what);
    const sent = operation.requestBody?.content['application/json']?.schema;
    if (body !== undefined) expectFit(sent, body, `the body of ${what}`);
  }
  expect(calls.length).toBeGreaterThan(13);
});
