// Listings from memory are the bytes that git itself would send.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGitRunner, type GitRunner } from '#git/git-runner.ts';
import { delimiterPacket, encodePacket, flushPacket } from '#git/pkt-line.ts';
import { parseLsRefs, renderLsRefs, renderPushAdvertisement } from '#git/ref-listing.ts';
import { RefSnapshots } from '#git/ref-snapshot.ts';
import { silentProcessMonitor } from '#process/process-monitor.ts';
import { createGitClient, type GitClient } from '#support/git-client.ts';
import { buildRepository } from '#support/repository-builder.ts';
import { createTempDirectory, type TempDirectory } from '#support/temp-directory.ts';
import { createTestContext } from '#support/test-context.ts';

const ctx = createTestContext();
let folder: TempDirectory;
let client: GitClient;
let git: GitRunner;

beforeAll(async () => {
  folder = await createTempDirectory('listing');
  client = await createGitClient();
  git = await createGitRunner(ctx, { monitor: silentProcessMonitor, parentEnv: process.env });
  const commits = 4;
  const built = await buildRepository(join(folder.path, 'full.git'), {
    commits,
    branches: { 'a/b': 1, b: 2, ä: 0 },
    tags: { light: 0, v1: { at: 1, message: 'x' } },
  });
  await client.ok(['symbolic-ref', 'refs/heads/alias', 'refs/heads/b'], { cwd: built.path });
  await client.ok(['update-ref', 'refs/notes/commits', built.head], { cwd: built.path });
  await buildRepository(join(folder.path, 'empty.git'), { commits: 0 });
  await buildRepository(join(folder.path, 'sha256.git'), { commits: 2, objectFormat: 'sha256' });
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function askGit(
  gitDir: string,
  lines: readonly string[],
  objectFormat: string,
): Promise<string> {
  const input = Buffer.concat([
    encodePacket('command=ls-refs\n'),
    encodePacket(`object-format=${objectFormat}\n`),
    delimiterPacket,
    ...lines.map((line) => encodePacket(`${line}\n`)),
    flushPacket,
  ]);
  const { stdoutBytes } = await client.run(['upload-pack', '--stateless-rpc', gitDir], {
    env: { GIT_PROTOCOL: 'version=2' },
    input,
  });
  return stdoutBytes.toString('utf8');
}

const requests = [
  [],
  ['peel'],
  ['symrefs'],
  ['peel', 'symrefs', 'unborn'],
  ['peel', 'symrefs', 'ref-prefix refs/heads/', 'ref-prefix HEAD'],
  ['ref-prefix refs/tags/v'],
  ['ref-prefix refs/heads/a', 'ref-prefix refs/heads/a/'],
  ['ref-prefix nothing'],
  ['unborn', 'symrefs', 'ref-prefix HEAD'],
];

test.each(['full', 'empty', 'sha256'])('ls-refs of %s for every kind of request', async (name) => {
  const gitDir = join(folder.path, `${name}.git`);
  const snapshot = await new RefSnapshots(git).read(ctx, gitDir, 'files');
  for (const lines of requests) {
    const ours = renderLsRefs(snapshot, parseLsRefs(lines)).toString('utf8');
    expect(ours, lines.join(',')).toBe(
      await askGit(gitDir, lines, name === 'sha256' ? 'sha256' : 'sha1'),
    );
  }
});

test.each(['full', 'empty', 'sha256'])('the advertisement of receive-pack of %s', async (name) => {
  const gitDir = join(folder.path, `${name}.git`);
  const { stdoutBytes } = await client.run(['receive-pack', '--http-backend-info-refs', gitDir]);
  const theirs = stdoutBytes.toString('utf8');
  const capabilities = /\0(.*)\n/.exec(theirs)?.[1] ?? '';
  const snapshot = await new RefSnapshots(git).read(ctx, gitDir, 'files');
  const format = name === 'sha256' ? 'sha256' : 'sha1';
  expect(
    renderPushAdvertisement(snapshot, capabilities, format).toString('utf8').replace(/\0 ?/, '\0'),
  ).toBe(theirs.replace(/\0 ?/, '\0'));
});

test('an argument ls-refs does not have is a mistake', () => {
  for (const line of ['Peel', 'ref-prefix', '--all', 'peel ']) {
    expect(() => parseLsRefs([line])).toThrow(expect.objectContaining({ code: 'PROTOCOL_ERROR' }));
  }
});

test('more prefixes than git counts mean no filter', () => {
  const many = Array.from({ length: 65_537 }, (_, at) => `ref-prefix refs/heads/${at}`);
  expect(parseLsRefs(many).prefixes).toEqual([]);
});
