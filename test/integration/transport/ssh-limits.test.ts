// Limits over SSH, and clients that leave, stall or never sign in: a clear answer, and nothing left behind.

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#support/eventually.ts';
import { createGitClient, type GitClient } from '#support/git-client.ts';
import { repositoryOf } from '#support/manifest-text.ts';
import { descendantsOf } from '#support/process-table.ts';
import { buildRepository } from '#support/repository-builder.ts';
import { runSsh, type RunningSsh, startSsh } from '#support/ssh-client.ts';
import { type SshForge, startSshForge } from '#support/ssh-forge.ts';
import type { SshKey } from '#support/ssh-key.ts';
import { createTempDirectory, type TempDirectory } from '#support/temp-directory.ts';

const uploadPack = "git-upload-pack 'default/code'";

let source: TempDirectory;
let forge: SshForge;
let git: GitClient;
let ann: SshKey;
let bob: SshKey;

beforeAll(async () => {
  source = await createTempDirectory('source');
  // Large enough that a clone is still running when its client is killed.
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`${index}.bin`, randomBytes(2 ** 20)]),
  );
  const built = await buildRepository(join(source.path, 'a.git'), { commits: [{ files }] });
  forge = await startSshForge(
    repositoryOf('code', `visibility: public\nsource: {url: "${built.path}"}`),
    {
      WARREN_LIMIT_GIT_SSH: '3',
      WARREN_LIMIT_GIT_SSH_CLIENT: '2',
      WARREN_LIMIT_SSH_CONNECTIONS: '6',
      WARREN_LIMIT_GIT_DURATION: '2s',
    },
    { signInMs: 1000, idleMs: 1000 },
  );
  ann = await forge.addAccount('ann');
  bob = await forge.addAccount('bob');
  git = await createGitClient({ GIT_SSH_COMMAND: ann.command });
});

afterAll(async () => {
  await git[Symbol.asyncDispose]();
  await forge[Symbol.asyncDispose]();
  await source[Symbol.asyncDispose]();
});

const inUse = () => forge.core.admission.gitSsh.limits[0]?.inUse ?? 0;
const openConnections = () => forge.core.admission.sshConnections.limits[0]?.inUse ?? 0;
const gitChildren = () => descendantsOf(process.pid).filter(({ name }) => name === 'git');

/** A command that has its permit and waits for its client. */
async function hold(key: SshKey): Promise<RunningSsh> {
  const before = inUse();
  const held = startSsh(key, ['-p', String(forge.port), 'git@127.0.0.1', uploadPack], 'open');
  await eventually('the command runs', () => inUse() > before);
  return held;
}

async function metric(line: RegExp): Promise<void> {
  await eventually(`${line}`, async () => line.test(await forge.core.registry.metrics()), 2000);
}

test('past its own share a client is refused in words, others are not, and a slot that is free again serves', async () => {
  {
    await using _first = await hold(ann);
    await using _second = await hold(ann);
    const refused = await runSsh(ann, forge.port, [uploadPack]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^remote: git commands running over SSH for one client are limited to 2 \(git_ssh_client\); try again in \d+ s\n$/,
    );
    const viaGit = await git.run(['ls-remote', forge.urlOf('default/code')]);
    expect(viaGit.code).toBe(128);
    expect(viaGit.stderr).toContain('git_ssh_client');
    await using _third = await hold(bob);
    expect((await runSsh(bob, forge.port, [uploadPack])).stderr).toContain('(git_ssh)');
  }
  await eventually('the permits are back', () => inUse() === 0);
  expect((await git.run(['ls-remote', forge.urlOf('default/code')])).code).toBe(0);
  await metric(
    /warren_limit_refusals_total\{limit="git_ssh_client".*reason="client_share".*\} 2\n/,
  );
});

test('a client killed in the middle of a clone leaves no child and no permit', async () => {
  const running = git.start(['clone', '--progress', forge.urlOf('default/code'), 'killed']);
  await new Promise<void>((resolve) => {
    running.child.stderr?.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('ing objects:  ')) resolve();
    });
  });
  // It reads no more from here on, so the clone cannot end by itself.
  running.kill('SIGSTOP');
  expect(inUse()).toBe(1);
  running.kill('SIGKILL');
  await running.result;
  await eventually('the child is gone', () => gitChildren().length === 0);
  await eventually('the permit is back', () => inUse() === 0);
  await eventually('the connection is gone', () => openConnections() === 0);
  expect(forge.commands().at(-1)).toMatchObject({ route: 'ssh-upload-pack', aborted: true });
});

test('a command that outlasts git_duration ends with the limit in its words', async () => {
  await using held = await hold(ann);
  const { code, stdout } = await held.result;
  expect(stdout).toContain('this took longer than 2 s (git_duration)');
  expect(code).toBe(128);
  expect(gitChildren()).toEqual([]);
});

test('who does not sign in, or idles, is disconnected in time', async () => {
  await using silent = openSocket();
  await silent.closed;
  await metric(/warren_ssh_connections_total\{outcome="timed_out"\} 1\n/);
  await using idle = startSsh(ann, ['-N', '-p', String(forge.port), 'git@127.0.0.1'], 'open');
  expect((await idle.result).code).toBe(255);
  await eventually('both are gone', () => openConnections() === 0);
});

test('who tries too many times is disconnected', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let attempts = 0;
  const client = new ssh2.Client();
  client.on('error', () => {});
  client.once('close', () => resolve());
  client.connect({
    host: '127.0.0.1',
    port: forge.port,
    username: 'git',
    authHandler: (_left, _partial, next) => {
      attempts++;
      next({ type: 'password', username: 'git', password: `guess ${attempts}` });
    },
  });
  await promise;
  expect(attempts).toBeGreaterThan(5);
  expect(attempts).toBeLessThan(25);
});

test('past ssh_connections a connection is closed, and counted once', async () => {
  const sockets = Array.from({ length: 6 }, () => openSocket());
  await eventually('all are open', () => openConnections() === 6);
  await using refused = openSocket();
  await refused.closed;
  await metric(/warren_ssh_connections_total\{outcome="refused"\} 1\n/);
  await metric(/warren_limit_refusals_total\{limit="ssh_connections".*reason="queue_full".*\} 1\n/);
  await Promise.all(sockets.map((socket) => socket[Symbol.asyncDispose]()));
  await eventually('all permits are back', () => openConnections() === 0);
});

test('garbage instead of a version ends the connection', async () => {
  await using socket = openSocket();
  socket.write(`${'x'.repeat(100_000)}\r\n`);
  await socket.closed;
});

type OpenSocket = AsyncDisposable & { readonly closed: Promise<void>; write(text: string): void };

function openSocket(): OpenSocket {
  const socket: Socket = connect(forge.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return {
    closed,
    write: (text) => void socket.write(text),
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await closed;
    },
  };
}
