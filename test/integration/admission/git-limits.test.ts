// The limits of fetches and pushes with real git and with slow readers: exact, told in words, counted once, given back.

import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { encodePacket, flushPacket } from '#git/pkt-line.ts';
import { eventually } from '#support/eventually.ts';
import { type HttpForge, type SeedRepository, startHttpForge } from '#support/http-forge.ts';
import { openRawHttp, type RawConnection, rawRequest } from '#support/raw-http.ts';
import { randomBytes } from 'node:crypto';

/** More than the buffers of a loopback connection take. */
const bulk = { commits: [{ files: { bulk: randomBytes(16 * 2 ** 20) } }] };

function startForge(
  env: Record<string, string>,
  seeds: Record<string, SeedRepository> = {},
): Promise<HttpForge> {
  return startHttpForge(
    {
      bulk: {
        ...bulk,
        spec: 'visibility: public\naccess: [{user: ann, role: write}, {user: bob, role: write}]',
      },
      code: { commits: 3, spec: 'visibility: public\naccess: [{user: ann, role: write}]' },
      ...seeds,
    },
    { env: { WARREN_TRUSTED_PROXIES: '127.0.0.1,::1', ...env } },
  );
}

const wantAll = (oid: string) =>
  Buffer.concat([
    encodePacket('command=fetch\n'),
    Buffer.from('0001'),
    encodePacket(`want ${oid}\n`),
    encodePacket('done\n'),
    flushPacket,
  ]);

/** A clone that reads nothing of its pack: it holds its slot until it is let go. */
async function holdSlot(forge: HttpForge, from: string, name = 'bulk'): Promise<RawConnection> {
  const connection = await openRawHttp(forge.warren.http);
  connection.socket.pause();
  const body = wantAll(forge.built[name]?.head ?? '');
  connection.write(
    `POST /default/${name}.git/git-upload-pack HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\nGit-Protocol: version=2\r\nContent-Type: application/x-git-upload-pack-request\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  connection.write(body);
  return connection;
}

const inUse = async (forge: HttpForge, limit: string) =>
  (await forge.metrics()).sum('warren_limit_slots_in_use', { limit });
const waiting = async (forge: HttpForge, limit: string) =>
  (await forge.metrics()).sum('warren_limit_queue_length', { limit });
const refused = async (forge: HttpForge, labels: Record<string, string>) =>
  (await forge.metrics()).sum('warren_limit_refusals_total', labels);
const from = (address: string) => ['-c', `http.extraHeader=X-Forwarded-For: ${address}`];

async function close(held: readonly RawConnection[]): Promise<void> {
  for (const connection of held) {
    connection.reset();
    await connection[Symbol.asyncDispose]();
  }
}

describe('with two slots, a queue of one and one slot for each client', () => {
  let forge: HttpForge;
  let held: RawConnection[] = [];
  beforeAll(async () => {
    forge = await startForge(
      {
        WARREN_LIMIT_GIT_HTTP: '2',
        WARREN_LIMIT_GIT_HTTP_QUEUE: '1',
        WARREN_LIMIT_GIT_HTTP_WAIT: '1500ms',
        WARREN_LIMIT_GIT_HTTP_CLIENT: '1',
      },
      { narrow: { ...bulk, spec: 'visibility: public\nlimits: {concurrency: 1}' } },
    );
  });
  afterEach(async () => {
    await close(held);
    held = [];
    await forge.assertIdle();
  });
  afterAll(() => forge[Symbol.asyncDispose]());

  async function fill(...addresses: string[]): Promise<void> {
    for (const address of addresses) held.push(await holdSlot(forge, address));
    await eventually(
      'the slots are taken',
      async () => (await inUse(forge, 'git_http')) === held.length,
    );
  }
  const clone = (address: string, name: string) =>
    forge.git.run([
      ...from(address),
      'clone',
      '-q',
      forge.urlOf('code'),
      join(forge.git.home, name),
    ]);

  test('at the limit a clone is refused at info/refs, in words, once', async () => {
    await fill('10.0.0.1', '10.0.0.2');
    const before = await refused(forge, { limit: 'git_http' });
    const answer = await rawRequest(
      forge.warren.http,
      'GET /default/code.git/info/refs?service=git-upload-pack HTTP/1.1\nHost: localhost\nX-Forwarded-For: 10.0.0.3\nGit-Protocol: version=2',
    );
    expect(answer.status).toBe(429);
    expect(answer.headers).toMatchObject({
      'x-warren-limit': 'git_http;reason=queue_full',
      'cache-control': 'no-store',
    });
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    const { code, stderr } = await clone('10.0.0.4', 'refused');
    expect(code).toBe(128);
    expect(stderr).toMatch(
      /remote: clones and fetches running are limited to 2 \(git_http\); try again in \d+ s/,
    );
    expect(stderr).toContain('429');
    expect((await refused(forge, { limit: 'git_http' })) - before).toBe(2);
  });

  test("a client's own share is refused by its name, and keeps nobody else out", async () => {
    await fill('10.0.0.1');
    const { stderr } = await clone('10.0.0.1', 'own');
    expect(stderr).toMatch(/remote: .*for one client are limited to 1 \(git_http_client\)/);
    expect((await clone('10.0.0.2', 'another')).code).toBe(0);
    expect(
      await refused(forge, { limit: 'git_http_client', reason: 'client_share' }),
    ).toBeGreaterThan(0);
  });

  test('a fetch that came past info/refs waits, is admitted when a slot is free, or hears why not', async () => {
    await fill('10.0.0.1', '10.0.0.2');
    const waiter = await holdSlot(forge, '10.0.0.3');
    await eventually('one waits', async () => (await waiting(forge, 'git_http')) === 1);
    await using over = await holdSlot(forge, '10.0.0.4');
    over.socket.resume();
    const full = await over.response();
    expect([full.status, full.body.toString()]).toEqual([
      200,
      expect.stringMatching(/^....ERR clones and fetches running are limited to 2 \(git_http\)/),
    ]);
    await close(held.splice(0, 1));
    await eventually(
      'the waiter runs',
      async () =>
        (await waiting(forge, 'git_http')) === 0 && (await inUse(forge, 'git_http')) === 2,
    );
    held.push(waiter);
    await using late = await holdSlot(forge, '10.0.0.5');
    late.socket.resume();
    expect((await late.response()).body.toString()).toMatch(/ERR .*\(git_http\)/);
    expect(await refused(forge, { limit: 'git_http', reason: 'queue_timeout' })).toBe(1);
  });

  test('one IPv6 /64 is one client', async () => {
    await fill('2001:db8:1:2::1');
    expect((await clone('2001:db8:1:2:ffff::9', 'same')).stderr).toContain('git_http_client');
    expect((await clone('2001:db8:1:3::1', 'neighbour')).code).toBe(0);
  });

  test('ls-remote and an up-to-date fetch take no slot, and need no permit', async () => {
    await forge.git.ok([...from('10.1.0.1'), 'clone', '-q', forge.urlOf('code'), 'current']);
    const admitted = async () =>
      (await forge.metrics()).sum('warren_limit_admissions_total', { limit: 'git_http' });
    const before = await admitted();
    for (let round = 0; round < 5; round++) {
      await forge.git.ok([...from('10.1.0.1'), 'ls-remote', forge.urlOf('code')]);
      await forge.git.ok([...from('10.1.0.1'), 'fetch', '-q'], {
        cwd: join(forge.git.home, 'current'),
      });
    }
    expect(await admitted()).toBe(before);
  });

  test('a repository with one slot of its own', async () => {
    held.push(await holdSlot(forge, '10.0.0.1', 'narrow'));
    await eventually('it is taken', async () => (await inUse(forge, 'repository_git')) === 1);
    const { stderr } = await forge.git.run([
      ...from('10.0.0.2'),
      'clone',
      forge.urlOf('narrow'),
      'no',
    ]);
    expect(stderr).toMatch(/remote: .*limited to 1 \(repository_git\)/);
    expect((await clone('10.0.0.2', 'elsewhere')).code).toBe(0);
  });

  test('clones that come at once: never more than the slots, and whoever is refused hears so at info/refs', async () => {
    let most = 0;
    const watching = setInterval(
      () => void inUse(forge, 'git_http').then((used) => (most = Math.max(most, used))),
      20,
    );
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        forge.git.run([...from(`10.2.0.${at}`), 'clone', '-q', forge.urlOf('bulk'), `burst-${at}`]),
      ),
    );
    clearInterval(watching);
    expect(most).toBeLessThanOrEqual(2);
    const failed = results.filter(({ code }) => code !== 0);
    expect(failed.length).toBeLessThan(6);
    for (const { stderr } of failed) expect(stderr).toMatch(/429|remote error: .*git_http/);
  });
});

describe('with one push slot and no trusted proxy', () => {
  let forge: HttpForge;
  let ann: string;
  let bob: string;
  beforeAll(async () => {
    forge = await startForge({
      WARREN_LIMIT_GIT_PUSH: '1',
      WARREN_LIMIT_GIT_PUSH_CLIENT: '1',
      WARREN_LIMIT_GIT_PUSH_WAIT: '300ms',
      WARREN_TRUSTED_PROXIES: '',
      WARREN_LIMIT_GIT_HTTP_CLIENT: '1',
      WARREN_LIMIT_GIT_DURATION: '2s',
      WARREN_LIMIT_HTTP_REQUESTS_CLIENT: '4',
      WARREN_LIMIT_SHADOW: 'git_http_client',
    });
    ann = await forge.addAccount('ann');
    bob = await forge.addAccount('bob');
  });
  afterEach(() => forge.assertIdle());
  afterAll(() => forge[Symbol.asyncDispose]());

  /** A push whose pack does not come: it holds its slot. */
  async function holdPush(token: string): Promise<RawConnection> {
    const connection = await openRawHttp(forge.warren.http);
    const zero = '0'.repeat(40);
    const command = encodePacket(
      `${zero} ${'a'.repeat(40)} refs/heads/x\0report-status side-band-64k\n`,
    );
    const body = Buffer.concat([command, flushPacket, Buffer.from('PACK')]);
    connection.write(
      `POST /default/bulk.git/git-receive-pack HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/x-git-receive-pack-request\r\nContent-Length: ${body.length + 1000}\r\n\r\n`,
    );
    connection.write(body);
    return connection;
  }

  test('a push is refused at info/refs, or in band 3 when it came past', async () => {
    const holding = await holdPush(ann);
    await eventually('the slot is taken', async () => (await inUse(forge, 'git_push')) === 1);
    const listed = await rawRequest(
      forge.warren.http,
      `GET /default/bulk.git/info/refs?service=git-receive-pack HTTP/1.1\nHost: localhost\nAuthorization: Bearer ${bob}`,
    );
    expect([listed.status, listed.headers['x-warren-limit']]).toEqual([
      429,
      'git_push;reason=queue_full',
    ]);
    await using late = await holdPush(bob);
    late.write(Buffer.alloc(1000));
    const answer = await late.response();
    expect(answer.status).toBe(200);
    expect(answer.body.toString('latin1')).toMatch(
      new RegExp(`^....${String.fromCharCode(3)}pushes running .*limited to 1 \\(git_push\\)`),
    );
    await close([holding]);
    expect(await refused(forge, { limit: 'git_push' })).toBe(2);
  });

  test('a slow reader is cut at its time with a band 3 packet, and its slot comes back', async () => {
    for (const version of [0, 2]) {
      const before = await refused(forge, { limit: 'git_duration' });
      await using connection = await openRawHttp(forge.warren.http);
      connection.socket.pause();
      const oid = forge.built['bulk']?.head ?? '';
      const body =
        version === 2
          ? wantAll(oid)
          : Buffer.concat([
              encodePacket(`want ${oid} side-band-64k ofs-delta\n`),
              flushPacket,
              encodePacket('done\n'),
            ]);
      connection.write(
        `POST /default/bulk.git/git-upload-pack HTTP/1.1\r\nHost: localhost\r\nGit-Protocol: version=${version}\r\nContent-Type: application/x-git-upload-pack-request\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      connection.write(body);
      await eventually(
        'its time is over',
        async () => (await refused(forge, { limit: 'git_duration' })) - before === 1,
        6000,
      );
      connection.socket.resume();
      const answer = await connection.response();
      expect(answer.complete).toBe(true);
      expect(answer.body.subarray(-80).toString('latin1')).toContain(
        `${String.fromCharCode(3)}this took longer than 2 s (git_duration)\n`,
      );
    }
  });

  test('a forwarded header from who is no proxy is not believed, and counted; shadow counts and lets through', async () => {
    const sources = async (source: string) =>
      (await forge.metrics()).sum('warren_client_address_total', { source });
    const before = await sources('rejected_forwarded');
    const held = [await holdSlot(forge, '10.0.0.1'), await holdSlot(forge, '10.0.0.2')];
    await eventually('both run', async () => (await inUse(forge, 'git_http')) === 2);
    expect(await sources('rejected_forwarded')).toBe(before + 2);
    expect(await refused(forge, { limit: 'git_http_client', mode: 'shadow' })).toBeGreaterThan(0);
    expect(await refused(forge, { limit: 'git_http_client', mode: 'enforce' })).toBe(0);
    await close(held);
  });

  test('requests of one client past their number get 429, and health never', async () => {
    const held = await Promise.all(Array.from({ length: 4 }, () => holdSlot(forge, 'x')));
    await eventually(
      'all are in flight',
      async () => (await inUse(forge, 'http_requests_client')) === 4,
    );
    const answer = await rawRequest(forge.warren.http, 'GET / HTTP/1.1\nHost: localhost');
    expect([answer.status, answer.headers['x-warren-limit']]).toEqual([
      429,
      'http_requests_client;reason=client_share',
    ]);
    expect(
      (await rawRequest(forge.warren.http, 'GET /healthz HTTP/1.1\nHost: localhost')).status,
    ).toBe(200);
    await close(held);
  });
});
