// Who gets in over SSH, what they may ask for, and what they are told otherwise.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#support/eventually.ts';
import { createGitClient, type GitClient } from '#support/git-client.ts';
import { joinDocuments, repositoryOf } from '#support/manifest-text.ts';
import { runSsh, startSsh } from '#support/ssh-client.ts';
import { type SshForge, startSshForge } from '#support/ssh-forge.ts';
import { createSshKey, type SshKey } from '#support/ssh-key.ts';

let forge: SshForge;
let git: GitClient;
let ann: SshKey;

beforeAll(async () => {
  forge = await startSshForge(
    joinDocuments(
      repositoryOf('open', 'visibility: public'),
      repositoryOf('secret'),
      repositoryOf('read', 'access: [{user: ann, role: read}]'),
      repositoryOf('resting', 'visibility: public\nsuspend: true'),
    ),
  );
  ann = await forge.addAccount('ann');
  git = await createGitClient({ GIT_SSH_COMMAND: ann.command });
});

afterAll(async () => {
  await git[Symbol.asyncDispose]();
  await forge[Symbol.asyncDispose]();
});

const run = (...args: string[]) => runSsh(ann, forge.port, args);

test.each(['ed25519', 'ecdsa', 'rsa'] as const)('a key of type %s signs in', async (type) => {
  const key = await forge.addAccount(`with-${type}`, type);
  const listed = await git.run(['ls-remote', forge.urlOf('default/open')], {
    env: { GIT_SSH_COMMAND: key.command },
  });
  expect(listed.code, listed.stderr).toBe(0);
});

test('each kind of host key is offered, and any user name will do', async () => {
  for (const type of ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'rsa-sha2-256', 'rsa-sha2-512']) {
    const args = ['-o', `HostKeyAlgorithms=${type}`, '-p', String(forge.port), '-l', 'somebody'];
    const { code, stderr } = await startSsh(ann, [...args, '127.0.0.1']).result;
    expect(stderr).toBe(
      'remote: Hello ann: you are signed in. There is no shell here; use git clone, fetch and push.\n',
    );
    expect(code).toBe(1);
  }
});

test('an unknown key, an RSA signature over SHA-1 and a password do not sign in', async () => {
  const stranger = await createSshKey(forge.folder, 'ed25519', 'id_stranger');
  const { code, stderr } = await runSsh(stranger, forge.port);
  expect(stderr).toContain('Permission denied (publickey)');
  expect(code).toBe(255);
  const rsa = await forge.addAccount('old-rsa', 'rsa');
  const sha1 = ['-o', 'PubkeyAcceptedAlgorithms=ssh-rsa', '-p', String(forge.port)];
  const weak = await startSsh(rsa, [...sha1, 'git@127.0.0.1']).result;
  expect(weak.stderr).toContain('Permission denied (publickey)');
});

test('a disabled account does not sign in', async () => {
  const key = await forge.addAccount('gone');
  await forge.core.accounts.changeAccount(forge.context, 'test', 'gone', { disabled: true });
  expect((await runSsh(key, forge.port)).stderr).toContain('Permission denied (publickey)');
});

test('what one may not see and what does not exist get the same bytes, for every service', async () => {
  for (const service of ['git-upload-pack', 'git-receive-pack', 'git-upload-archive']) {
    const hidden = await run(`${service} '/default/secret.git'`);
    const absent = await run(`${service} '/default/nothing.git'`);
    expect(hidden).toEqual(absent);
    expect(hidden).toEqual({
      code: 1,
      stdout: '',
      stderr: 'remote: There is no such repository, or you may not see it.\n',
    });
  }
});

test('a reader may not push, and a suspended repository says so', async () => {
  const pushed = await run("git-receive-pack 'default/read'");
  expect(pushed).toMatchObject({ code: 1, stdout: '' });
  expect(pushed.stderr).toBe('remote: Your role in this repository does not allow that.\n');
  const resting = await run("git-upload-pack 'default/resting'");
  expect(resting.stderr).toBe('remote: This repository is suspended.\n');
});

test.each([
  ['ls -l', 'only git is served here'],
  ["git-upload-pack '/default/open'; id", 'the command is not valid'],
  ['git-upload-pack $(id)', 'the command is not valid'],
  ["git-upload-pack '--help'", 'begin with "-"'],
  ["git-upload-pack '../../etc'", 'no ".." in it'],
  ["git-upload-pack 'default/../../x'", 'no ".." in it'],
  ['git-upload-pack', 'takes one path'],
  ["git-upload-pack --strict 'default/open'", 'takes one path'],
  ["git-upload-pack ''", 'no such repository'],

  ['git-lfs-authenticate default/open download', 'Git LFS is not served here'],
  ['git-lfs-transfer default/open upload', 'Git LFS is not served here'],
])('%s is refused in words', async (command, sentence) => {
  const { code, stdout, stderr } = await run(command);
  expect(stderr).toMatch(/^remote: .+\n$/);
  expect(stderr).toContain(sentence);
  expect(stdout).toBe('');
  expect(code).toBe(1);
});

test('there is no subsystem, no forwarding, and other environment is ignored', async () => {
  const port = ['-p', String(forge.port)];
  const sftp = await startSsh(ann, [...port, '-s', 'git@127.0.0.1', 'sftp']).result;
  expect(sftp).toMatchObject({ code: 1, stdout: '' });
  expect(sftp.stderr).toContain('no sftp');
  const forward = await startSsh(ann, [...port, '-W', '127.0.0.1:1', 'git@127.0.0.1']).result;
  expect(forward.code).toBe(255);
  expect(forward.stderr).toContain('forwarding failed');
  const setEnv = ['-o', 'SetEnv=GIT_TRACE=1', ...port, 'git@127.0.0.1'];
  const listed = await startSsh(
    ann,
    [...setEnv, "git-upload-pack 'default/open'"],
    Buffer.from('0000'),
  ).result;
  expect(listed).toMatchObject({ code: 0, stderr: '' });
});

test('a revoked key is refused on a connection that is already open, and the connection ends', async () => {
  const key = await forge.addAccount('bob');
  const socket = join(forge.folder, 'master');
  const args = ['-M', '-S', socket, '-N', '-p', String(forge.port), 'git@127.0.0.1'];
  await using master = startSsh(key, args);
  await eventually('the master listens', () => existsSync(socket));
  const list = () =>
    git.run(['ls-remote', forge.urlOf('default/open')], {
      env: { GIT_SSH_COMMAND: `${key.command} -S ${socket}` },
    });
  expect((await list()).code).toBe(0);
  const [own] = forge.core.accounts.listKeys('bob') ?? [];
  await forge.core.accounts.removeKey(forge.context, 'test', 'bob', own?.id ?? '');
  const refused = await list();
  expect(refused.stderr).toContain('remote: This SSH key is not accepted any more.');
  expect(refused.code).toBe(128);
  await master.result;
  expect((await list()).stderr).toContain('Permission denied');
});

test('each command leaves one log line without secrets and one count', async () => {
  await run("git-upload-pack 'default/secret'");
  expect(forge.commands().at(-1)).toMatchObject({
    route: 'ssh-upload-pack',
    path: 'default/secret',
    account: 'ann',
    client: '127.0.0.1',
    exit: 1,
    refused: 'hidden',
  });
  const metrics = await forge.core.registry.metrics();
  expect(metrics).toMatch(
    /warren_ssh_commands_total\{route="ssh-upload-pack",outcome="refused"\} [1-9]/,
  );
  expect(metrics).toMatch(/warren_ssh_connections_total\{outcome="unauthenticated"\} [1-9]/);
});
