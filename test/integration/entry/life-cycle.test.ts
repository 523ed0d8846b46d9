// Start and end of the real program: what prevents a start, what a drain does, and services in processes of their own.

import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { encodePacket, flushPacket } from '#git/pkt-line.ts';
import { eventually } from '#support/eventually.ts';
import { createGitClient } from '#support/git-client.ts';
import { manifestText } from '#support/http-forge.ts';
import { openRawHttp, rawRequest } from '#support/raw-http.ts';
import { buildRepository, type BuiltRepository } from '#support/repository-builder.ts';
import { startServe } from '#support/serve-process.ts';
import { createTempDirectory, type TempDirectory } from '#support/temp-directory.ts';

let folder: TempDirectory;
let env: Record<string, string>;
let count = 0;
let sources: TempDirectory;
let bulk: BuiltRepository;

beforeAll(async () => {
  sources = await createTempDirectory('life-sources');
  const files = { bulk: randomBytes(16 * 2 ** 20) };
  bulk = await buildRepository(join(sources.path, 'bulk.git'), { commits: [{ files }] });
});
afterAll(() => sources[Symbol.asyncDispose]());

beforeEach(async () => {
  folder = await createTempDirectory('life');
  env = {
    WARREN_DATA_DIR: join(folder.path, 'data'),
    WARREN_CATALOG: join(folder.path, 'catalog'),
  };
});
afterEach(() => folder[Symbol.asyncDispose]());

const start = (more: Record<string, string> = {}, ...args: string[]) =>
  startServe({ ...env, ...more }, [join(folder.path, `home-${count++}`)], args);

async function expectNoStart(
  more: Record<string, string>,
  pattern: RegExp,
  ...args: string[]
): Promise<string> {
  await using server = start(more, ...args);
  const { code, stderr } = await server.ended();
  expect(code, stderr).toBeGreaterThan(0);
  expect(stderr).toMatch(pattern);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(server.stdout()).not.toContain('ready');
  return stderr;
}

test('the first start: one line, private files, a sample to clone; SIGTERM ends it with 0', async () => {
  await using server = start();
  const { http, admin } = await server.started();
  expect(server.stdout()).toMatch(
    /^\{"event":"ready","http":"http:\/\/localhost:\d+","ssh":"ssh:\/\/git@localhost:\d+","admin":"http:\/\/localhost:\d+"\}\n$/,
  );
  const token = await readFile(join(env['WARREN_DATA_DIR'] ?? '', 'admin-token'), 'utf8');
  expect(token).toMatch(/^wrn_[A-Za-z0-9]{40}\n$/);
  for (const name of ['admin-token', 'server.json']) {
    expect((await stat(join(env['WARREN_DATA_DIR'] ?? '', name))).mode & 0o777).toBe(0o600);
  }
  await using git = await createGitClient();
  await git.ok(['clone', '-q', `${http}/demo/hello.git`, 'hello']);
  expect((await rawRequest(admin, 'GET /readyz HTTP/1.1\nHost: localhost')).status).toBe(200);
  await server.stop();
});

test('two signals at once are one, and half a request keeps no server from ending', async () => {
  await using server = start();
  const { http } = await server.started();
  await using half = await openRawHttp(http);
  half.write('GET / HTTP/1.1\r\nHost:');
  await using idle = await openRawHttp(http);
  await using body = await openRawHttp(http);
  body.write(
    'POST /demo/hello.git/git-upload-pack HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-git-upload-pack-request\r\nContent-Length: 100\r\n\r\n0032',
  );
  expect(idle.socket.destroyed).toBe(false);
  await wait(100);
  server.signal('SIGTERM');
  server.signal('SIGTERM');
  const startedMs = performance.now();
  await wait(1200);
  server.signal('SIGTERM');
  const { code, stderr } = await server.ended();
  expect(code, stderr).toBe(0);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});

test('a port in use names the port and the setting', async () => {
  const taken = createServer().listen(0, 'localhost');
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  try {
    for (const name of ['WARREN_HTTP_PORT', 'WARREN_ADMIN_PORT', 'WARREN_SSH_PORT']) {
      await expectNoStart({ [name]: port }, new RegExp(`port ${port}.*${name}`));
    }
  } finally {
    await new Promise((resolve) => taken.close(resolve));
  }
  await using server = start();
  await server.started();
  await server.stop();
});

test('a data directory has one server', async () => {
  await using server = start();
  const { http } = await server.started();
  await expectNoStart({}, /served by another process/);
  expect((await rawRequest(http, 'GET / HTTP/1.1\nHost: localhost')).status).toBe(200);
  await server.stop();
  await using next = start();
  await next.started();
  await next.stop();
});

test('all mistakes of the settings are told at once', async () => {
  const stderr = await expectNoStart(
    {
      WARREN_HTTP_PORT: 'x',
      WARREN_LIMIT_GIT_HTTP: '0',
      WARREN_LIMIT_PUSH_BYTES: '1 parsec',
      WARREN_NONSENSE: '1',
      WARREN_DRAIN_TIMEOUT: '5',
    },
    /WARREN_HTTP_PORT/,
  );
  for (const name of [
    'WARREN_LIMIT_GIT_HTTP',
    'WARREN_LIMIT_PUSH_BYTES',
    'WARREN_NONSENSE',
    'WARREN_DRAIN_TIMEOUT',
  ]) {
    expect(stderr).toContain(name);
  }
  await expectNoStart({ WARREN_TRUSTED_PROXIES: '10.0.0.0/99' }, /WARREN_TRUSTED_PROXIES/);
  await expectNoStart({ WARREN_LIMIT_SHADOW: 'git_htp' }, /git_htp/);
  await expectNoStart({}, /transprot/, '--services', 'transprot');
});

test('a data directory that is a file', async () => {
  await writeFile(join(folder.path, 'file'), '');
  await expectNoStart(
    { WARREN_DATA_DIR: join(folder.path, 'file') },
    /it is a file|WARREN_DATA_DIR/,
  );
  await expectNoStart(
    { WARREN_DATA_DIR: join(folder.path, 'file', 'data') },
    /a part of the path is a file/,
  );
});

test.skipIf(process.getuid?.() === 0)('a data directory that may not be written', async () => {
  await mkdir(env['WARREN_DATA_DIR'] ?? '', { mode: 0o500 });
  await expectNoStart({}, /this user may not write there.*WARREN_DATA_DIR/);
  await chmod(env['WARREN_DATA_DIR'] ?? '', 0o700);
});

test('SIGTERM: not ready at once, nothing new, the running clone finishes, then 0', async () => {
  await mkdir(env['WARREN_CATALOG'] ?? '');
  await writeFile(
    join(env['WARREN_CATALOG'] ?? '', 'bulk.yaml'),
    manifestText('bulk', `visibility: public\nsource: {url: "${bulk.path}"}`),
  );
  await using server = start();
  const { http, admin } = await server.started();
  const body = Buffer.concat([
    encodePacket('command=fetch\n'),
    Buffer.from('0001'),
    encodePacket(`want ${bulk.head}\n`),
    encodePacket('done\n'),
    flushPacket,
  ]);
  const discovery = () =>
    rawRequest(
      http,
      'GET /default/bulk.git/info/refs?service=git-upload-pack HTTP/1.1\nHost: localhost\nGit-Protocol: version=2',
    );
  await eventually('it is imported', async () => (await discovery()).status === 200, 10_000);
  await using clone = await openRawHttp(http);
  clone.write(
    `POST /default/bulk.git/git-upload-pack HTTP/1.1\r\nHost: localhost\r\nGit-Protocol: version=2\r\nContent-Type: application/x-git-upload-pack-request\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  clone.write(body);
  await eventually('it streams', () => clone.received().length > 1000);
  clone.socket.pause();
  server.signal('SIGTERM');
  await eventually(
    'it is not ready',
    async () => (await rawRequest(admin, 'GET /readyz HTTP/1.1\nHost: localhost')).status === 503,
  );
  const refused = await discovery();
  expect([
    refused.status,
    refused.headers['retry-after'],
    refused.headers['x-warren-limit'],
  ]).toEqual([503, expect.stringMatching(/^\d+$/), 'git_http;reason=shutdown']);
  expect((await rawRequest(http, 'GET / HTTP/1.1\nHost: localhost')).status).toBe(503);
  expect(server.exit).toBeUndefined();
  clone.socket.resume();
  const whole = await clone.response({ timeoutMs: 20_000 });
  expect([whole.status, whole.complete, whole.body.subarray(-4).toString()]).toEqual([
    200,
    true,
    '0000',
  ]);
  const { code, stderr } = await server.ended();
  expect(code, stderr).toBe(0);
});

test('a later second signal hastens the end of a clone that does not', async () => {
  await mkdir(env['WARREN_CATALOG'] ?? '');
  await writeFile(
    join(env['WARREN_CATALOG'] ?? '', 'bulk.yaml'),
    manifestText('bulk', `visibility: public\nsource: {url: "${bulk.path}"}`),
  );
  await using server = start();
  const { http } = await server.started();
  const body = Buffer.concat([
    encodePacket('command=fetch\n'),
    Buffer.from('0001'),
    encodePacket(`want ${bulk.head}\n`),
    encodePacket('done\n'),
    flushPacket,
  ]);
  await using clone = await openRawHttp(http);
  clone.write(
    `POST /default/bulk.git/git-upload-pack HTTP/1.1\r\nHost: localhost\r\nGit-Protocol: version=2\r\nContent-Type: application/x-git-upload-pack-request\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  clone.write(body);
  await eventually('it streams', () => clone.received().length > 1000);
  clone.socket.pause();
  server.signal('SIGTERM');
  await wait(1200);
  expect(server.exit).toBeUndefined();
  server.signal('SIGTERM');
  const { code, stderr } = await server.ended(8000);
  expect(code, stderr).toBe(0);
});

test('transport, metadata and pages as three processes on one data directory', async () => {
  await using metadata = start({}, '--services', 'metadata');
  await metadata.started();
  await mkdir(env['WARREN_CATALOG'] ?? '', { recursive: true });
  await writeFile(
    join(env['WARREN_CATALOG'] ?? '', 'code.yaml'),
    manifestText('code', 'visibility: public\naccess: [{user: admin, role: write}]'),
  );
  await using transport = start({}, '--services', 'transport');
  const { http } = await transport.started();
  await using pages = start({}, '--services', 'pages');
  await pages.started();
  const token = (await readFile(join(env['WARREN_DATA_DIR'] ?? '', 'admin-token'), 'utf8')).trim();
  const get = (path: string, more = '') =>
    rawRequest(http, `GET ${path} HTTP/1.1\nHost: localhost${more}`);
  await eventually(
    'the page is there',
    async () => (await get('/default/code')).status === 200,
    5000,
  );
  expect((await get('/default/code')).body.toString()).toContain('git clone');
  const user = await get('/api/v1/user', `\nAuthorization: Bearer ${token}`);
  expect([user.status, JSON.parse(user.body.toString())]).toEqual([
    200,
    expect.objectContaining({ name: 'admin', operator: true }),
  ]);
  // Whoever comes from outside cannot say who he is.
  const forged = Buffer.from(
    JSON.stringify({ kind: 'account', name: 'admin', groups: [], operator: true }),
  ).toString('base64url');
  expect((await get('/api/v1/user', `\nX-Warren-Actor: ${forged}`)).status).toBe(401);
  await using git = await createGitClient();
  const url = `${http.replace('http://', `http://x:${token}@`)}/default/code.git`;
  await git.ok(['clone', '-q', url, 'work']);
  const cwd = join(git.home, 'work');
  await git.ok(['commit', '-q', '--allow-empty', '-m', 'one'], { cwd });
  await git.ok(['push', '-q', 'origin', 'HEAD:main'], { cwd });
  const head = await git.ok(['rev-parse', '--short=12', 'HEAD'], { cwd });
  await eventually('the page shows the push', async () =>
    (await get('/default/code')).body.toString().includes(head),
  );
  pages.signal('SIGTERM');
  expect((await pages.ended()).code).toBe(0);
  const away = await get('/default/code');
  expect([away.status, away.headers['retry-after']]).toEqual([503, '5']);
  expect((await git.run(['ls-remote', url])).code).toBe(0);
  for (const server of [transport, metadata]) {
    server.signal('SIGTERM');
    expect((await server.ended()).code).toBe(0);
  }
});
