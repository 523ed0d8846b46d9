import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { flushPacket, encodePacket, parsePacketLength } from '#git/pkt-line.ts';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';

let forge: HttpForge;

beforeAll(async () => {
  forge = await startHttpForge({
    many: { commits: 60, branches: { topic: 30 }, tags: { v1: { at: 20, message: 'one' } } },
    sha256: { commits: 3, objectFormat: 'sha256' },
  });
});
afterAll(() => forge[Symbol.asyncDispose]());
afterEach(() => forge.assertIdle());

type Reply = { readonly before: readonly string[]; readonly pack: Buffer; readonly end: string };

/** Takes a fetch answer apart: text packets up to packfile, the pack of band 1, how it ends. */
function readReply(bytes: Buffer): Reply {
  const before: string[] = [];
  const pack: Buffer[] = [];
  let inPack = false;
  for (let at = 0; at < bytes.length;) {
    const length = parsePacketLength(bytes, at) ?? Number.NaN;
    const payload = bytes.subarray(at + 4, at + Math.max(4, length));
    at += Math.max(4, length);
    if (inPack && payload[0] === 1) pack.push(payload.subarray(1));
    if (!inPack) before.push(length < 4 ? String(length) : payload.toString());
    if (payload.toString() === 'packfile\n') inPack = true;
  }
  return { before, pack: Buffer.concat(pack), end: bytes.subarray(-4).toString() };
}

function requestOf(format: string, lines: readonly string[]): Buffer {
  return Buffer.concat([
    encodePacket('command=fetch\n'),
    encodePacket(`object-format=${format}\n`),
    Buffer.from('0001'),
    ...['thin-pack', 'no-progress', 'include-tag', 'ofs-delta', ...lines, 'done'].map((line) =>
      encodePacket(`${line}\n`),
    ),
    flushPacket,
  ]);
}

/** Over a connection of its own, so that none is left. */
function ask(name: string, body: Buffer): Promise<Reply> {
  const headers = {
    'content-type': 'application/x-git-upload-pack-request',
    'git-protocol': 'version=2',
  };
  return new Promise((resolve, reject) => {
    const url = `${forge.urlOf(name)}/git-upload-pack`;
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(readReply(Buffer.concat(chunks))));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function askUploadPack(name: string, body: Buffer): Promise<Reply> {
  const { stdoutBytes } = await forge.git.run(
    ['upload-pack', '--stateless-rpc', forge.gitDirOf(name)],
    { input: body, env: { GIT_PROTOCOL: 'version=2' } },
  );
  return readReply(stdoutBytes);
}

async function objectsOf(pack: Buffer, name: string): Promise<string> {
  const scratch = `${forge.git.home}/scratch-${Math.random().toString(36).slice(2)}.git`;
  const format = name === 'sha256' ? 'sha256' : 'sha1';
  await forge.git.ok(['init', '-q', '--bare', `--object-format=${format}`, scratch]);
  await forge.git.ok(['-C', scratch, 'index-pack', '--stdin'], { input: pack });
  const list = await forge.git.ok([
    '-C',
    scratch,
    'cat-file',
    '--batch-all-objects',
    '--batch-check=%(objectname)',
  ]);
  return list;
}

test.each([
  ['a whole clone', 'many', (oids: Oids) => [`want ${oids.main}`, `want ${oids.topic}`]],
  ['a whole clone with an annotated tag', 'many', (oids: Oids) => [`want ${oids.tag}`]],
  ['--depth 1 of one branch', 'many', (oids: Oids) => ['deepen 1', `want ${oids.main}`]],
  [
    '--depth 1 of two branches',
    'many',
    (oids: Oids) => ['deepen 1', `want ${oids.main}`, `want ${oids.topic}`],
  ],
  ['a sha256 repository', 'sha256', (oids: Oids) => [`want ${oids.main}`]],
])('%s is answered as upload-pack answers it', async (_, name, lines) => {
  const body = requestOf(name === 'sha256' ? 'sha256' : 'sha1', lines(await oidsOf(name)));
  // The listing that a client asks for first is what makes the tips known.
  await forge.git.ok(['ls-remote', forge.urlOf(name)]);
  const started = await startedBy('pack-objects');
  const ours = await ask(name, body);
  expect(await startedBy('pack-objects')).toBe(started + 1);
  const theirs = await askUploadPack(name, body);
  expect(ours.before.toSorted()).toEqual(theirs.before.toSorted());
  expect(ours.end).toBe('0000');
  expect(await objectsOf(ours.pack, name)).toBe(await objectsOf(theirs.pack, name));
});

test('a clone shows progress, and its pack passes fsck', async () => {
  const target = `${forge.git.home}/progress`;
  const { stderr, code } = await forge.git.run([
    'clone',
    '--progress',
    '--bare',
    forge.urlOf('many'),
    target,
  ]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('remote: Counting objects')]);
  expect(await forge.git.ok(['-C', target, 'fsck', '--strict'])).toBe('');
});

type Oids = { readonly main: string; readonly topic: string; readonly tag: string };

async function oidsOf(name: string): Promise<Oids> {
  const listing = await forge.git.ok(['ls-remote', forge.urlOf(name)]);
  const find = (ref: string) =>
    listing
      .split('\n')
      .find((line) => line.endsWith(`\t${ref}`))
      ?.split('\t')[0] ?? '';
  return {
    main: find('refs/heads/main'),
    topic: find('refs/heads/topic'),
    tag: find('refs/tags/v1'),
  };
}

/** How many children of the kind have ended so far. */
async function startedBy(command: string): Promise<number> {
  const metrics = await forge.metrics();
  return metrics.sum('warren_git_process_exits_total', { command });
}
