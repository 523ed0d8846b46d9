// The life of the SSH server: its keys, its port, and an end that cuts nobody short.

import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isForgeError } from '#kernel/forge-error.ts';
import { createGitServices } from '#entry/listen-transport.ts';
import { loadHostKeys } from '#transport/ssh-host-keys.ts';
import { createSshServer } from '#transport/ssh-server.ts';
import { eventually } from '#support/eventually.ts';
import { watchLeaks } from '#support/leak-check.ts';
import { repositoryOf } from '#support/manifest-text.ts';
import { runSsh, startSsh } from '#support/ssh-client.ts';
import { startSshForge } from '#support/ssh-forge.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

test('host keys are made once, for their owner only, and kept', async () => {
  await using folder = await createTempDirectory();
  const made = await loadHostKeys(folder.path);
  const directory = join(folder.path, 'ssh');
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  const files = (await readdir(directory)).toSorted();
  expect(files).toEqual(['host_ecdsa_key', 'host_ed25519_key', 'host_rsa_key']);
  for (const file of files) {
    expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
  }
  expect(await loadHostKeys(folder.path)).toEqual(made);
});

test('a damaged host key stops the start and is left as it is', async () => {
  await using folder = await createTempDirectory();
  const file = join(folder.path, 'ssh', 'host_rsa_key');
  await mkdir(join(folder.path, 'ssh'));
  await writeFile(file, 'no key');
  const error: unknown = await loadHostKeys(folder.path).catch((reason: unknown) => reason);
  expect(isForgeError(error, 'DATA_DIR_UNUSABLE')).toBe(true);
  expect(String(error)).toContain(file);
  expect(await readFile(file, 'utf8')).toBe('no key');
});

test('a taken port is named with the setting to change', async () => {
  await using forge = await startSshForge(repositoryOf('open', 'visibility: public'));
  await using taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const server = createSshServer({
    context: forge.context,
    services: createGitServices(forge.core),
    monitor: { connectionEnded() {}, commandEnded() {} },
    hostKeys: await loadHostKeys(forge.core.dataDir),
    host: '127.0.0.1',
    port,
  });
  const error: unknown = await server.start().catch((reason: unknown) => reason);
  expect(isForgeError(error, 'PORT_IN_USE')).toBe(true);
  expect(String(error)).toContain('WARREN_SSH_PORT');
});

test('closing lets a running command finish, takes no new one, and leaves nothing', async () => {
  await using leaks = await watchLeaks();
  {
    await using forge = await startSshForge(repositoryOf('open', 'visibility: public'));
    const key = await forge.addAccount('ann');
    const port = ['-p', String(forge.port), 'git@127.0.0.1'];
    await using _idle = startSsh(key, ['-N', ...port], 'open');
    const { sshConnections, gitSsh } = forge.core.admission;
    await eventually('it is connected', () => sshConnections.limits[0]?.inUse === 1);
    const command = startSsh(key, [...port, "git-upload-pack 'default/open'"], 'open');
    await eventually('it runs', () => gitSsh.limits[0]?.inUse === 1);
    const closed = forge.server.close();
    expect((await _idle.result).code).toBe(255);
    expect((await runSsh(key, forge.port)).stderr).toContain('Connection refused');
    expect(gitSsh.limits[0]?.inUse).toBe(1);
    await command[Symbol.asyncDispose]();
    await closed;
  }
  await leaks.check();
});

test('the end of the server ends commands that still run', async () => {
  const forge = await startSshForge(repositoryOf('open', 'visibility: public'));
  const key = await forge.addAccount('ann');
  const args = ['-p', String(forge.port), 'git@127.0.0.1', "git-upload-pack 'default/open'"];
  await using command = startSsh(key, args, 'open');
  const { gitSsh } = forge.core.admission;
  await eventually('it runs', () => gitSsh.limits[0]?.inUse === 1);
  await forge[Symbol.asyncDispose]();
  expect((await command.result).code).toBe(255);
  await eventually('the permit is back', () => gitSsh.limits[0]?.inUse === 0);
});
