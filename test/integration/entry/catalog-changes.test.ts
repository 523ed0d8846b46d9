// What a change of the catalog folder does to people with a git client.

import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '#support/eventually.ts';
import { type HttpForge, manifestText, startHttpForge } from '#support/http-forge.ts';
import { rawRequest } from '#support/raw-http.ts';
import { buildRepository } from '#support/repository-builder.ts';
import { createTempDirectory, type TempDirectory } from '#support/temp-directory.ts';

let forge: HttpForge;
let token: string;
let sources: TempDirectory;
const grants = 'visibility: public\naccess: [{user: ann, role: write}]';

beforeAll(async () => {
  sources = await createTempDirectory('catalog-sources');
  forge = await startHttpForge({ code: { commits: 3, spec: grants } });
  token = await forge.addAccount('ann');
});
afterAll(async () => {
  await forge[Symbol.asyncDispose]();
  await sources[Symbol.asyncDispose]();
});
afterEach(() => forge.assertIdle());

async function status(name: string, service = 'upload-pack', who = token): Promise<number> {
  const authorization = who === '' ? '' : `\nAuthorization: Bearer ${who}`;
  const { status: code } = await rawRequest(
    forge.warren.http,
    `GET /default/${name}.git/info/refs?service=git-${service} HTTP/1.1\nHost: localhost${authorization}`,
  );
  return code;
}
const becomes = (name: string, code: number, service?: string) =>
  eventually(`${name} answers ${code}`, async () => (await status(name, service)) === code, 1500);

test('a new manifest can be cloned from within a second, is hidden when removed, and comes back with its data', async () => {
  const startedMs = performance.now();
  await forge.warren.writeManifest('new', manifestText('new', grants));
  await becomes('new', 200);
  expect(performance.now() - startedMs).toBeLessThan(1500);
  const work = join(forge.git.home, 'work');
  await forge.git.ok(['clone', '-q', forge.urlOf('code'), work]);
  await forge.git.ok(['push', '-q', forge.urlOf('new', token), 'HEAD:main'], { cwd: work });
  await forge.warren.removeManifest('new');
  await becomes('new', 404);
  expect(await status('new', 'upload-pack', '')).toBe(401);
  await forge.warren.writeManifest('new', manifestText('new', grants));
  await becomes('new', 200);
  expect(await forge.git.ok(['ls-remote', forge.urlOf('new'), 'refs/heads/main'])).toContain(
    forge.built['code']?.head,
  );
});

test('a bad manifest changes nothing and is told with its line', async () => {
  await forge.warren.writeManifest('bad', manifestText('bad', 'visiblity: public'));
  await eventually('it is logged', () =>
    forge.warren.log().some((line) => JSON.stringify(line).includes('visiblity')),
  );
  expect(await status('code')).toBe(200);
  expect(await status('bad')).toBe(404);
  await forge.warren.removeManifest('bad');
});

test('suspended, archived, and made private', async () => {
  const change = (spec: string) => forge.warren.writeManifest('turn', manifestText('turn', spec));
  await change(grants);
  await becomes('turn', 200);
  await change(`${grants}\nsuspend: true`);
  await becomes('turn', 503);
  const { stderr } = await forge.git.run(['ls-remote', forge.urlOf('turn')]);
  expect(stderr).toMatch(/remote: This repository is suspended/);
  await change(`${grants}\narchived: true`);
  await becomes('turn', 200);
  expect(await status('turn', 'receive-pack')).toBe(403);
  await change('visibility: private');
  await becomes('turn', 404);
});

test('an import from a path, and a mirror that takes no pushes and follows its source', async () => {
  const source = await buildRepository(join(sources.path, 'source.git'), { commits: 2 });
  await forge.warren.writeManifest(
    'taken',
    manifestText('taken', `${grants}\nsource: {url: "${source.path}"}`),
  );
  await becomes('taken', 200);
  expect(await forge.git.ok(['ls-remote', forge.urlOf('taken'), 'HEAD'])).toContain(source.head);
  await forge.warren.writeManifest(
    'mirror',
    manifestText(
      'mirror',
      `${grants}\nsource: {url: "${source.path}", mirror: true, interval: 1m}`,
    ),
  );
  await becomes('mirror', 200);
  expect(await status('mirror', 'receive-pack')).toBe(403);
});

test.each([
  ['a port where nothing listens', 'http://127.0.0.1:9/x.git'],
  ['a path where nothing lies', '/nonexistent/x.git'],
])('an import from %s says so, and works once the address is right', async (_, url) => {
  const name = url.startsWith('/') ? 'lost' : 'deaf';
  await forge.warren.writeManifest(name, manifestText(name, `${grants}\nsource: {url: "${url}"}`));
  await eventually('it is told', async () => {
    const { stderr } = await forge.git.run(['ls-remote', forge.urlOf(name)]);
    return /remote: This repository cannot be served: .*(unable|not exist|does not appear|import)/i.test(
      stderr,
    );
  });
  expect(await status('code')).toBe(200);
  const right = await buildRepository(join(sources.path, `${name}.git`), { commits: 1 });
  await forge.warren.writeManifest(
    name,
    manifestText(name, `${grants}\nsource: {url: "${right.path}"}`),
  );
  await becomes(name, 200);
});

test('a file that is no manifest, and an empty one, disturb nobody', async () => {
  await writeFile(join(forge.warren.catalogDir, 'notes.txt'), 'hello');
  await writeFile(join(forge.warren.catalogDir, 'empty.yaml'), '');
  await becomes('code', 200);
});
