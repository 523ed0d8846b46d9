// One start of Warren by `npm start`, from the spawn to the ready line, and its end by TERM.

import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import type { BenchScope } from '#load/bench-scope.ts';
import { readProcessStat, readTree } from '#load/measure/process-stat.ts';
import { launch, survivorsOf } from '#load/server/launch.ts';
import { awaitReadyLine } from '#load/server/ready-line.ts';
import { warrenEnvironment } from '#load/server/start-warren.ts';

const pageBytes = 4096;

export type OneStart = {
  readonly readyMs: number;
  readonly idleRssMiB: number | undefined;
  readonly exitCode: number | null;
  readonly stopMs: number;
  /** Processes of the start that outlived it. */
  readonly survivors: number;
};

export type StartOptions = {
  readonly checkoutDir: string;
  readonly dataDir: string;
  /** How long to stay idle before the memory is read; none: not read. */
  readonly idleMs?: number;
};

/** Starts, waits, stops; the settings are those of the other benches with a data directory of the caller's. */
export async function startOnce(scope: BenchScope, options: StartOptions): Promise<OneStart> {
  const startedAt = performance.now();
  const launched = await launch({
    program: 'npm',
    args: ['start'],
    cwd: options.checkoutDir,
    env: { ...warrenEnvironment(options.checkoutDir), WARREN_DATA_DIR: options.dataDir },
  });
  scope.defer('npm start', async () => void (await launched.stop(5_000)));
  await awaitReadyLine(scope.signal, launched);
  const readyMs = performance.now() - startedAt;
  const idleRssMiB = await idleRss(scope, launched.pid, options.idleMs);
  const tree = readTree([launched.pid]).map(({ pid }) => pid);
  const stoppedAt = performance.now();
  // To npm, as Ctrl-C or a supervisor does: it has to reach the server from there.
  launched.child.kill('SIGTERM');
  const exitCode = await Promise.race([
    new Promise<number | null>((resolve) => launched.child.once('exit', resolve)),
    sleep(15_000, null, { ref: false }),
  ]);
  const stopMs = performance.now() - stoppedAt;
  const survivors = survivorsOf(tree).length;
  await launched.stop(0);
  return { readyMs, idleRssMiB, exitCode, stopMs, survivors };
}

async function idleRss(
  scope: BenchScope,
  npmPid: number,
  idleMs: number | undefined,
): Promise<number | undefined> {
  if (idleMs === undefined) return undefined;
  await sleep(idleMs, undefined, { signal: scope.signal });
  const server = readTree([npmPid]).find(({ pid }) => isServer(pid));
  if (!server) throw new Error('no process under npm start runs services/entry/warren.ts');
  return ((readProcessStat(server.pid)?.residentPages ?? 0) * pageBytes) / 2 ** 20;
}

function isServer(pid: number): boolean {
  const [program = '', script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return /\bnode$/.test(program) && script.endsWith('services/entry/warren.ts');
}
