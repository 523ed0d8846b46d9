// Starts the peer on loopback: nginx in front, fcgiwrap with 16 workers behind a Unix socket, git http-backend as CGI.
// Both processes end with the scope, by their ids.

import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { BenchScope } from '#load/bench-scope.ts';
import { createCpuMeter } from '#load/measure/cpu-meter.ts';
import { buildNginxConfig } from '#load/peer/nginx-config.ts';
import { buildPeerGitConfig } from '#load/peer/peer-git-config.ts';
import { findPeerPrograms } from '#load/peer/peer-programs.ts';
import type { BenchServer } from '#load/server/bench-server.ts';
import { launch, type Launched } from '#load/server/launch.ts';
import { waitUntil } from '#load/server/wait-until.ts';

const fcgiwrapWorkers = 16;

/** @param repositories name → path of the bare repository. */
export async function startPeer(
  scope: BenchScope,
  repositories: ReadonlyMap<string, string>,
): Promise<BenchServer> {
  const programs = findPeerPrograms();
  const prefix = join(scope.dir, 'peer');
  const projectRoot = join(prefix, 'repositories');
  await mkdir(projectRoot, { recursive: true });
  for (const [name, path] of repositories) await symlink(path, join(projectRoot, `${name}.git`));
  const socketPath = join(prefix, 'fcgiwrap.sock');
  const port = await findFreePort();
  await writeFile(join(prefix, 'gitconfig'), buildPeerGitConfig());
  const account = userInfo();
  await writeFile(
    join(prefix, 'nginx.conf'),
    buildNginxConfig({
      prefix,
      port,
      socketPath,
      projectRoot,
      httpBackend: programs.httpBackend,
      workerAccount: account.uid === 0 ? account.username : undefined,
    }),
  );
  const cpu = createCpuMeter('peer');
  scope.defer('CPU meter of the peer', () => cpu.close());
  const start = async (program: string, args: readonly string[]) => {
    const launched = await launch({
      program,
      args,
      cwd: prefix,
      env: {
        PATH: process.env['PATH'],
        HOME: prefix,
        LC_ALL: 'C',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: join(prefix, 'gitconfig'),
      },
      groupDir: cpu.groupDir,
    });
    scope.defer(program, async () => void (await launched.stop(2_000)));
    return launched;
  };
  const workers = String(fcgiwrapWorkers);
  const fcgiwrap = await start(programs.fcgiwrap, ['-c', workers, '-s', `unix:${socketPath}`]);
  await waitUntil(scope.signal, 'fcgiwrap listens', () =>
    failIfGone(fcgiwrap, existsSync(socketPath)),
  );
  const nginx = await start(programs.nginx, ['-p', prefix, '-c', join(prefix, 'nginx.conf')]);
  const repositoryUrl = (name: string) => `http://127.0.0.1:${port}/${name}.git`;
  const [first = ''] = repositories.keys();
  await waitUntil(scope.signal, 'the peer answers', async () => {
    const answer = await fetch(`${repositoryUrl(first)}/info/refs?service=git-upload-pack`).catch(
      () => undefined,
    );
    await answer?.arrayBuffer();
    return failIfGone(nginx, answer?.status === 200);
  });
  return { side: 'peer', repositoryUrl, rootPids: [nginx.pid, fcgiwrap.pid], cpu };
}

function failIfGone({ child, stderrTail }: Launched, ready: boolean): boolean {
  if (child.exitCode !== null)
    throw new Error(`${child.spawnfile} ended at start: ${stderrTail()}`);
  return ready;
}

/** nginx takes no port 0, so a port is found first; another program that grabs it in between makes nginx fail loudly. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}
