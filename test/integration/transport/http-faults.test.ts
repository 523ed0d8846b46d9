// Requests no git sends: bombs, half bodies, wrong types, tricks in the path. A clear answer, and nothing left.

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { open, readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { encodePacket, flushPacket } from '#git/pkt-line.ts';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';
import { openRawHttp, rawRequest } from '#support/raw-http.ts';
import { fillerCommits } from '#support/repository-builder.ts';

let forge: HttpForge;
let token: string;
let pack: Buffer;
let head: string;

beforeAll(async () => {
  forge = await startHttpForge(
    {
      code: {
        commits: fillerCommits(40, { bytes: 4000 }),
        spec: 'visibility: public\naccess: [{user: ann, role: write}]',
      },
      broken: { commits: fillerCommits(20, { bytes: 4000 }) },
      headless: { commits: 2 },
    },
    { env: { WARREN_LIMIT_REQUEST_INFLATED_BYTES: '2MiB' } },
  );
  token = await forge.addAccount('ann');
  head = forge.built['code']?.head ?? '';
  // A commit of its own on top of the branch, as the pack a push would send.
  const work = join(forge.git.home, 'work');
  await forge.git.ok(['clone', '-q', forge.urlOf('code'), work]);
  await forge.git.ok(['commit', '-q', '--allow-empty', '-m', 'new'], { cwd: work });
  const oid = await forge.git.ok(['rev-parse', 'HEAD'], { cwd: work });
  const made = await forge.git.run(['pack-objects', '--revs', '--stdout'], {
    cwd: work,
    input: `${oid}\n^${head}\n`,
  });
  pack = Buffer.concat([
    encodePacket(`${head} ${oid} refs/heads/main\0report-status side-band-64k agent=test\n`),
    flushPacket,
    made.stdoutBytes,
  ]);
});
afterAll(() => forge[Symbol.asyncDispose]());
afterEach(async () => {
  await forge.assertIdle();
  const main = await forge.git.ok(['rev-parse', 'main'], { cwd: forge.gitDirOf('code') });
  expect(main).toBe(head);
});

const lsRefs = Buffer.concat([
  encodePacket('command=ls-refs\n'),
  Buffer.from('0001'),
  encodePacket('peel\n'),
  flushPacket,
]);

function post(service: string, headers: string, body: string | Buffer) {
  return rawRequest(
    forge.warren.http,
    postHead(service, `${headers}\nContent-Length: ${Buffer.byteLength(body)}`),
    body,
  );
}
function postHead(service: string, headers: string): string {
  return `POST /default/code.git/git-${service} HTTP/1.1\nHost: localhost\nAuthorization: Bearer ${token}\nGit-Protocol: version=2\nContent-Type: application/x-git-${service}-request\n${headers}`;
}
const upload = (headers: string, body: string | Buffer) => post('upload-pack', headers, body);

test.each(['gzip', 'x-gzip'])('a body compressed as %s', async (encoding) => {
  const answer = await upload(`Content-Encoding: ${encoding}`, gzipSync(lsRefs));
  expect([answer.status, answer.complete]).toEqual([200, true]);
  expect(answer.body.toString()).toContain(`${head} refs/heads/main`);
});

test('a gzip bomb is told so, and counts once', async () => {
  const refusals = async () =>
    (await forge.metrics()).sum('warren_limit_refusals_total', { limit: 'request_inflated_bytes' });
  const before = await refusals();
  const bomb = gzipSync(
    Buffer.concat([
      encodePacket('command=fetch\n'),
      Buffer.from('0001'),
      Buffer.alloc(50 * 2 ** 20, `0032want ${head}\n`),
    ]),
  );
  const answer = await upload('Content-Encoding: gzip', bomb);
  expect([answer.status, answer.complete]).toEqual([413, true]);
  expect(answer.body.toString()).toMatch(/at most 2 MiB after inflation/);
  expect((await refusals()) - before).toBe(1);
});

test('a chunked bomb, and a plain body that is too large, are told the same', async () => {
  const wants = Buffer.concat([
    encodePacket('command=fetch\n'),
    Buffer.from('0001'),
    ...Array.from({ length: 60_000 }, () => encodePacket(`want ${head}\n`)),
  ]);
  for (const [headers, body] of [
    ['Content-Encoding: gzip', gzipSync(wants, { level: 1 })],
    ['X: y', wants],
  ] as const) {
    const chunks = Buffer.concat([
      Buffer.from(`${body.length.toString(16)}\r\n`),
      body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    const answer = await rawRequest(
      forge.warren.http,
      postHead('upload-pack', `${headers}\nTransfer-Encoding: chunked`),
      chunks,
    );
    expect([answer.status, answer.body.toString()]).toEqual([
      413,
      expect.stringContaining('2 MiB'),
    ]);
  }
});

test.each([
  ['no gzip', 'Content-Encoding: gzip', lsRefs, 400],
  ['gzip cut short', 'Content-Encoding: gzip', gzipSync(lsRefs).subarray(0, -20), 400],
  ['another encoding', 'Content-Encoding: br', lsRefs, 415],
  ['no packet', 'X: y', 'hello world', 400],
  ['a packet cut short', 'X: y', '0032comm', 400],
  ['no flush', 'X: y', encodePacket('command=ls-refs\n'), 400],
  [
    'an unknown command',
    'X: y',
    Buffer.concat([encodePacket('command=bundle-uri\n'), flushPacket]),
    400,
  ],
  [
    'an unknown argument',
    'X: y',
    Buffer.concat([
      encodePacket('command=ls-refs\n'),
      Buffer.from('0001'),
      encodePacket('--upload-pack=x\n'),
      flushPacket,
    ]),
    400,
  ],
] as const)('%s', async (_, headers, body, status) => {
  const answer = await upload(headers, body);
  expect([answer.status, answer.complete]).toEqual([status, true]);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.body.toString()).toMatch(/^[A-Z].*\n$/);
});

test('a flush alone is answered with nothing', async () => {
  expect(await upload('X: y', flushPacket)).toMatchObject({ status: 200, body: Buffer.alloc(0) });
});

test.each([
  ['POST', 'git-upload-pack', 'Content-Type: text/plain\nContent-Length: 0', 415],
  ['POST', 'git-upload-pack', 'Content-Length: 0', 415],
  ['GET', 'git-upload-pack', 'X: y', 405],
  ['PUT', 'git-receive-pack', 'Content-Length: 0', 405],
  ['POST', 'info/refs?service=git-upload-pack', 'Content-Length: 0', 405],
  ['GET', 'info/refs', 'X: y', 403],
  ['GET', 'info/refs?service=git-evil', 'X: y', 403],
  ['GET', 'HEAD', 'X: y', 404],
  ['GET', 'objects/info/packs', 'X: y', 404],
])('%s %s with %j is %s', async (method, path, headers, status) => {
  const answer = await rawRequest(
    forge.warren.http,
    `${method} /default/code.git/${path} HTTP/1.1\nHost: localhost\nAuthorization: Bearer ${token}\n${headers}`,
  );
  expect([answer.status, answer.complete]).toEqual([status, true]);
});

const tricks = [
  '/default/../default/code.git',
  '/%2e%2e/default/code.git',
  '/default/code.git/..%2f..',
  '/default//code.git',
  '//default/code.git',
  '/default/co%64e.git',
  '/default/code%00.git',
  '/default/%ff%fe.git',
  '/./default/code.git',
  '/default/code.git/.',
  '/DEFAULT/CODE.git',
  '/default/code.git.git',
  '/default/code/',
  '/default',
  '/..',
  '/default/-code',
  '/default/code;x',
];
test.each(tricks)('the path %s is as absent as any other', async (path) => {
  for (const who of ['', `\nAuthorization: Bearer ${token}`]) {
    const ask = (target: string) =>
      rawRequest(
        forge.warren.http,
        `GET ${target}/info/refs?service=git-upload-pack HTTP/1.1\nHost: localhost${who}`,
      );
    const [tricked, absent] = [await ask(path), await ask('/default/no-such.git')];
    expect([tricked.status, tricked.body.toString()]).toEqual([
      absent.status,
      absent.body.toString(),
    ]);
  }
});

test.each([
  [
    'raw bytes that are no UTF-8',
    'GET /default/\xff\xfe.git/info/refs HTTP/1.1\nHost: localhost',
    [400, 401],
  ],
  ['a NUL', 'GET /default/a\0b HTTP/1.1\nHost: localhost', [400]],
  [
    'a path longer than the address may be',
    `GET /${'a'.repeat(5000)} HTTP/1.1\nHost: localhost`,
    [400],
  ],
  [
    'a path longer than all headers may be',
    `GET /${'a'.repeat(40_000)} HTTP/1.1\nHost: localhost`,
    [431],
  ],
  [
    'an unknown host',
    'GET /default/code.git/info/refs?service=git-upload-pack HTTP/1.1\nHost: evil.test',
    [421],
  ],
  ['no host', 'GET / HTTP/1.1', [400, 421]],
  ['two hosts in one', 'GET / HTTP/1.1\nHost: localhost, evil.test', [421]],
  ['another origin in the request line', 'GET http://evil.test/ HTTP/1.1\nHost: localhost', [400]],
  [
    'both a length and chunks',
    'POST /default/code.git/git-upload-pack HTTP/1.1\nHost: localhost\nContent-Length: 4\nTransfer-Encoding: chunked',
    [400],
  ],
])('%s', async (_, head_, statuses) => {
  const answer = await rawRequest(forge.warren.http, head_);
  expect(statuses).toContain(answer.status);
});

test.each(['by its length', 'in chunks'])(
  'a push that breaks off %s leaves no ref and no quarantine',
  async (framing) => {
    // The whole pack is left out: git needs no end of the body after it, so that push may count.
    for (const cut of [2, 60, pack.indexOf('PACK') + 6, pack.length - 10]) {
      const part = pack.subarray(0, cut);
      const [header, body] =
        framing === 'in chunks'
          ? ['Transfer-Encoding: chunked', [`${cut.toString(16)}\r\n`, part, '\r\n']]
          : [`Content-Length: ${pack.length}`, [part]];
      for (const end of ['endWriting', 'reset'] as const) {
        await using connection = await openRawHttp(forge.warren.http);
        connection.write(`${postHead('receive-pack', header).replace(/\n/g, '\r\n')}\r\n\r\n`);
        for (const bytes of body) connection.write(bytes);
        await wait(30);
        connection[end]();
        if (end === 'endWriting') await connection.response().catch(() => undefined);
        await forge.assertIdle();
      }
    }
  },
);

test('a client that says it has finished still gets its answer', async () => {
  await using connection = await openRawHttp(forge.warren.http);
  connection.write(
    `GET /default/code.git/info/refs?service=git-upload-pack HTTP/1.1\r\nHost: localhost\r\nGit-Protocol: version=2\r\n\r\n`,
  );
  connection.endWriting();
  const answer = await connection.response();
  expect([answer.status, answer.complete]).toEqual([200, true]);
});

test('a client that leaves before its answer holds nothing', async () => {
  for (let round = 0; round < 10; round++) {
    const socket = connect(Number(new URL(forge.warren.http).port), '127.0.0.1').on(
      'error',
      () => {},
    );
    socket.write(
      'GET /default/code.git/info/refs?service=git-upload-pack HTTP/1.1\r\nHost: localhost\r\n\r\n',
    );
    await wait(round);
    socket.destroy();
  }
});

test('a corrupt repository: an error within seconds, and the others go on', async () => {
  await forge.git.ok(['repack', '-adq'], { cwd: forge.gitDirOf('broken') });
  const packs = join(forge.gitDirOf('broken'), 'objects/pack');
  const name = (await readdir(packs)).find((file) => file.endsWith('.pack')) ?? '';
  const file = await open(join(packs, name));
  const { size } = await file.stat();
  await file.close();
  await truncate(join(packs, name), size >> 1);
  for (const version of [0, 2]) {
    const startedMs = performance.now();
    const { code, stderr } = await forge.git.run([
      '-c',
      `protocol.version=${version}`,
      'clone',
      forge.urlOf('broken'),
      join(forge.git.home, `broken-${version}`),
    ]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/remote|fatal|error/);
    expect(performance.now() - startedMs).toBeLessThan(8000);
  }
  await forge.git.ok(['clone', '-q', forge.urlOf('code'), join(forge.git.home, 'fine')]);
});
