// Repositories and sites as different people see them; hidden and absent are one answer, to the byte and in time.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiServer, buildCatalogState, startApiServer } from '#support/api-server.ts';
import { type LeakWatch, watchLeaks } from '#support/leak-check.ts';
import { openRawHttp } from '#support/raw-http.ts';

let leaks: LeakWatch;
let api: ApiServer;
let anna: { token: string };
let admin: { token: string };

const state = buildCatalogState(
  [
    { id: 'team/open', visibility: 'public', description: 'For all' },
    { id: 'team/inner', visibility: 'internal' },
    { id: 'team/hers', access: [{ user: 'anna', role: 'write' }] },
    { id: 'team/devs', access: [{ group: 'dev', role: 'triage' }], archived: true },
    { id: 'team/shut' },
    ...Array.from({ length: 8 }, (_, at) => ({ id: `many/r${at}`, visibility: 'public' as const })),
  ],
  { 'team/docs': 'open', 'team/plans': 'shut', 'team/lost': 'nothing' },
);

beforeAll(async () => {
  leaks = await watchLeaks();
  api = await startApiServer({ catalog: { state: () => state } });
  admin = { token: api.adminToken };
  await api.call('POST', '/accounts', { ...admin, body: { name: 'anna', groups: ['dev'] } });
  const made = await api.call('POST', '/accounts/anna/tokens', { ...admin, body: { name: 'one' } });
  anna = { token: String(made.json['token']) };
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await leaks.check();
});

async function namesOf(path: string, who: { token?: string }): Promise<string[]> {
  const { json } = await api.call('GET', path, who);
  const items = json['items'] as { namespace: string; name: string }[];
  return items.filter(({ namespace }) => namespace === 'team').map(({ name }) => name);
}

test('each sees what they may read', async () => {
  expect(await namesOf('/repositories', {})).toEqual(['open']);
  expect(await namesOf('/repositories', anna)).toEqual(['devs', 'hers', 'inner', 'open']);
  expect(await namesOf('/repositories', admin)).toEqual(['devs', 'hers', 'inner', 'open', 'shut']);
  expect(await namesOf('/sites', {})).toEqual(['docs']);
  expect(await namesOf('/sites', admin)).toEqual(['docs', 'plans']);
});

test('a repository says its addresses, its state and the role one has', async () => {
  expect((await api.call('GET', '/repositories/team/devs', anna)).json).toEqual({
    namespace: 'team',
    name: 'devs',
    path: 'team/devs',
    visibility: 'private',
    defaultBranch: 'main',
    archived: true,
    role: 'triage',
    url: { http: 'http://localhost/team/devs.git', ssh: 'ssh://git@localhost/team/devs' },
    state: { kind: 'ready', objectFormat: 'sha1', refFormat: 'files' },
  });
});

test('pages join to the whole list, without one twice', async () => {
  const seen: string[] = [];
  let cursor = '';
  do {
    const { json } = await api.call('GET', `/repositories?limit=3${cursor}`);
    const { items, next } = json as { items: { name: string }[]; next: string | null };
    expect(items.length).toBeLessThanOrEqual(3);
    seen.push(...items.map(({ name }) => name));
    cursor = next === null ? '' : `&cursor=${next}`;
  } while (cursor !== '');
  expect(seen).toEqual([...Array.from({ length: 8 }, (_, at) => `r${at}`), 'open']);
});

const hidden = '/api/v1/repositories/team/shut';
const absent = '/api/v1/repositories/team/none';

test('hidden and absent are the same bytes, whoever asks', async () => {
  await using connection = await openRawHttp(api.url);
  const ask = async (path: string, headers: string) => {
    connection.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    const { status, headers: answered, body } = await connection.response();
    return { status, headers: { ...answered, date: '' }, body: body.toString('utf8') };
  };
  for (const headers of ['', `Authorization: Bearer ${anna.token}\r\n`, 'Authorization: x\r\n']) {
    const first = await ask(hidden, headers);
    expect(await ask(absent, headers)).toEqual(first);
    expect(first.status).toBe(headers.includes(' x') ? 401 : 404);
  }
});

test('hidden and absent take the same time', async () => {
  const headers = { authorization: `Bearer ${anna.token}` };
  const times: Record<string, number[]> = { [hidden]: [], [absent]: [] };
  const { origin } = new URL(api.url);
  const ask = async (path: string) => {
    const startedAt = performance.now();
    await (await fetch(`${origin}${path}`, { headers })).arrayBuffer();
    return performance.now() - startedAt;
  };
  for (let round = 0; round < 400; round++) {
    // Alternating which is first, so that neither gains from the other's warm caches.
    for (const path of round % 2 === 0 ? [hidden, absent] : [absent, hidden]) {
      const tookMs = await ask(path);
      if (round >= 50) times[path]?.push(tookMs);
    }
  }
  const [a, b] = [quartiles(times[hidden] ?? []), quartiles(times[absent] ?? [])];
  // The medians are nearer to each other than the spread of either: what one sees is noise.
  expect(Math.abs(a.median - b.median)).toBeLessThan(Math.max(a.spread, b.spread));
});

function quartiles(values: number[]): { median: number; spread: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { median: at(0.5), spread: at(0.75) - at(0.25) };
}
