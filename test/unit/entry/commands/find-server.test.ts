import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findServer } from '#entry/commands/find-server.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

const adminToken = `wrn_${'a'.repeat(40)}`;
const otherToken = `wrn_${'b'.repeat(40)}`;

/** A folder as a server at localhost:8080 leaves it. */
async function dataDirectory() {
  const folder = await createTempDirectory('find-server');
  await mkdir(join(folder.path, 'data'));
  const server = { pid: 1, http: 'http://localhost:8080', ssh: '', admin: '' };
  await writeFile(join(folder.path, 'data/server.json'), JSON.stringify(server));
  await writeFile(join(folder.path, 'data/admin-token'), `${adminToken}\n`);
  return folder;
}

function find(cwd: string, env = {}, given: { url?: string; token?: string } = {}) {
  return findServer({ env, cwd, url: given.url, token: given.token });
}

test('without any address, it is the server of the data directory, as its admin', async () => {
  await using folder = await dataDirectory();
  const expected = { url: new URL('http://localhost:8080'), token: adminToken, isLocal: true };
  expect(await find(folder.path)).toMatchObject(expected);
  const env = { WARREN_DATA_DIR: join(folder.path, 'data'), WARREN_URL: '' };
  expect(await find('/', env)).toMatchObject(expected);
});

test('the admin token goes to the server of its own directory only', async () => {
  await using folder = await dataDirectory();
  const elsewhere = await find(folder.path, { WARREN_URL: 'https://git.example.org' });
  expect(elsewhere).toMatchObject({ token: undefined, isLocal: false });
  const own = await find(folder.path, {}, { url: 'http://localhost:8080/' });
  expect(own).toMatchObject({ token: adminToken, isLocal: true });
  const otherPort = await find(folder.path, {}, { url: 'http://localhost:8081/' });
  expect(otherPort.token).toBeUndefined();
});

test('options win over the environment, and that over the directory', async () => {
  await using folder = await dataDirectory();
  const env = { WARREN_URL: 'http://one.example', WARREN_TOKEN: ` ${otherToken}\n` };
  expect(await find(folder.path, env)).toMatchObject({ token: otherToken });
  const given = { url: 'http://two.example', token: adminToken };
  const found = await find(folder.path, env, given);
  expect([found.url.host, found.token]).toEqual(['two.example', adminToken]);
});

test('settings of a server do not disturb a command', async () => {
  await using folder = await dataDirectory();
  const env = { WARREN_HTTP_PORT: 'no port', WARREN_NONSENSE: '1' };
  expect(await find(folder.path, env)).toMatchObject({ isLocal: true });
});

test('where no server runs, the sentence says how to start one', async () => {
  await using folder = await createTempDirectory('find-server');
  await expect(find(folder.path)).rejects.toMatchObject({
    code: 'SERVER_UNREACHABLE',
    details: { sentence: expect.stringMatching(/^No server runs on .*\.\/data\..*npm start/) },
  });
});

test('what is no token is refused without being repeated', async () => {
  await using folder = await dataDirectory();
  const error = await find(folder.path, { WARREN_TOKEN: 'hunter2hunter2' }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
  expect(JSON.stringify(error)).not.toContain('hunter2');
});

test.each(['ftp://x', 'localhost:8080', 'http://x/path', 'nonsense'])(
  '%s is no address of a server',
  async (url) => {
    await expect(find('/', {}, { url })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      details: { sentence: expect.stringContaining('--url takes an http or https address') },
    });
  },
);
