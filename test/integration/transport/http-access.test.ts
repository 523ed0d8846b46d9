// Who may fetch and push what over HTTP, and that hidden and absent look the same to the byte and take the same time.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';
import { rawRequest } from '#support/raw-http.ts';
import type { RawResponse } from '#support/raw-response.ts';

let forge: HttpForge;
const credentials: Record<string, string> = {};
const grants =
  'access: [{user: reader, role: read}, {user: writer, role: write}, {group: staff, role: write}]';

beforeAll(async () => {
  forge = await startHttpForge({
    open: { spec: `visibility: public\n${grants}` },
    inner: { spec: `visibility: internal\n${grants}` },
    secret: { spec: grants },
  });
  for (const name of ['reader', 'writer', 'other'])
    credentials[name] = await forge.addAccount(name);
  credentials['member'] = await forge.addAccount('member', { groups: ['staff'] });
  credentials['read-only'] = await (async () => {
    await forge.api('POST', '/accounts', { name: 'ro' });
    return String(
      (await forge.api('POST', '/accounts/writer/tokens', { name: 'ro', readOnly: true }))['token'],
    );
  })();
  credentials['operator'] = forge.warren.adminToken;
  credentials['bad'] = `wrn_${'x'.repeat(40)}`;
});
afterAll(async () => {
  await forge.assertIdle();
  await forge[Symbol.asyncDispose]();
});

function ask(path: string, who: string, more = ''): Promise<RawResponse> {
  const token = credentials[who];
  const authorization = token === undefined ? '' : `\nAuthorization: Bearer ${token}`;
  return rawRequest(
    forge.warren.http,
    `GET ${path} HTTP/1.1\nHost: localhost${authorization}${more}`,
  );
}

const discovery = (name: string, service: string) =>
  `/default/${name}.git/info/refs?service=git-${service}`;

test.each([
  // who, then fetch and push of open, inner, secret
  ['anonymous', [200, 401], [401, 401], [401, 401]],
  ['bad', [401, 401], [401, 401], [401, 401]],
  ['other', [200, 403], [200, 403], [404, 404]],
  ['reader', [200, 403], [200, 403], [200, 403]],
  ['writer', [200, 200], [200, 200], [200, 200]],
  ['member', [200, 200], [200, 200], [200, 200]],
  ['read-only', [200, 403], [200, 403], [200, 403]],
  ['operator', [200, 200], [200, 200], [200, 200]],
] as const)('%s', async (who, ...expected) => {
  for (const [at, name] of ['open', 'inner', 'secret'].entries()) {
    const fetch = await ask(discovery(name, 'upload-pack'), who);
    const push = await ask(discovery(name, 'receive-pack'), who);
    expect([fetch.status, push.status], name).toEqual(expected[at]);
    if (push.status === 401) expect(push.headers['www-authenticate']).toMatch(/^Basic /);
    const posted = await rawRequest(
      forge.warren.http,
      `POST /default/${name}.git/git-receive-pack HTTP/1.1\nHost: localhost${credentials[who] === undefined ? '' : `\nAuthorization: Bearer ${credentials[who]}`}\nContent-Type: application/x-git-receive-pack-request\nContent-Length: 4`,
      '0000',
    );
    expect(posted.status, 'the probe is answered like the request').toBe(push.status);
  }
});

/** Everything a client sees, without what tells the moment. */
function visible({ status, reason, headers, body }: RawResponse): unknown {
  const { date: _date, ...rest } = headers;
  return {
    status,
    reason,
    headers: rest,
    body: body.toString().replaceAll(/no-such|secret/g, 'NAME'),
  };
}

test.each(['anonymous', 'other'])(
  'to %s hidden and absent are the same bytes everywhere',
  async (who) => {
    const paths = (name: string) => [
      discovery(name, 'upload-pack'),
      discovery(name, 'receive-pack'),
      discovery(name, 'upload-archive'),
      `/default/${name}/info/refs`,
      `/default/${name}`,
      `/api/v1/repositories/default/${name}`,
      `/default/${name}.git/info/lfs/objects/batch`,
    ];
    for (const [at, hidden] of paths('secret').entries()) {
      const absent = paths('no-such')[at] ?? '';
      for (const more of ['', '\nGit-Protocol: version=2']) {
        expect(visible(await ask(hidden, who, more)), hidden).toEqual(
          visible(await ask(absent, who, more)),
        );
      }
    }
  },
);

test('hidden and absent take the same time', async () => {
  const times: Record<string, number[]> = { secret: [], 'no-such': [] };
  for (let round = 0; round < 120; round++) {
    for (const [name, taken] of Object.entries(times)) {
      const startedMs = performance.now();
      await ask(discovery(name, 'upload-pack'), 'other');
      taken.push(performance.now() - startedMs);
    }
  }
  const median = (values: readonly number[] = []) =>
    values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  const [hidden, absent] = [median(times['secret']), median(times['no-such'])];
  expect(Math.abs(hidden - absent)).toBeLessThan(Math.max(1, 0.5 * Math.max(hidden, absent)));
});

test('git says it in words: sign in, not there, may not', async () => {
  const anonymous = await forge.git.run(['ls-remote', forge.urlOf('secret')]);
  expect(anonymous.stderr).toMatch(/could not read Username|Authentication failed/);
  const other = await forge.git.run(['ls-remote', forge.urlOf('secret', credentials['other'])]);
  expect(other.stderr).toMatch(/not found/);
  await forge.git.ok(['clone', '-q', forge.urlOf('open', credentials['reader']), 'mine']);
  const push = await forge.git.run(['push', 'origin', 'HEAD:x'], { cwd: `${forge.git.home}/mine` });
  expect(push.stderr).toMatch(/remote: Your role in this repository does not allow that/);
});

test('a revoked token is refused within a second', async () => {
  const made = await forge.api('POST', '/accounts/writer/tokens', { name: 'short' });
  credentials['short'] = String(made['token']);
  expect((await ask(discovery('secret', 'upload-pack'), 'short')).status).toBe(200);
  const response = await fetch(
    `${forge.warren.http}/api/v1/accounts/writer/tokens/${String(made['id'])}`,
    {
      method: 'DELETE',
      headers: { authorization: `Bearer ${forge.warren.adminToken}`, connection: 'close' },
    },
  );
  expect(response.ok).toBe(true);
  expect((await ask(discovery('secret', 'upload-pack'), 'short')).status).toBe(401);
});
