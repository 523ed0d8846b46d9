// Starts a long-lived process of a bench (a server, the generator) in its own group and ends that group by id.
// With a control group it joins before it becomes the program, so that nothing it starts escapes the CPU meter.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTree } from '#load/measure/process-stat.ts';

export type LaunchSpec = {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly groupDir?: string | undefined;
  /** stderr lines kept for error messages; stdout is read by the caller. */
  readonly keepStderrBytes?: number;
};

export type Launched = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stderrTail: () => string;
  /** TERM, then KILL to the group after the time; resolves with the exit code when the process has ended. */
  stop(killAfterMs: number): Promise<number | null>;
};

/** @throws the spawn's own error when the program is missing. */
export async function launch(spec: LaunchSpec): Promise<Launched> {
  const { program, args, groupDir } = spec;
  const joining = [
    '-c',
    'echo $$ > "$0/cgroup.procs" && exec "$@"',
    groupDir ?? '',
    program,
    ...args,
  ];
  const [file, argv] = groupDir === undefined ? [program, args] : ['/bin/sh', joining];
  const child = spawn(file, argv, {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let tail = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-(spec.keepStderrBytes ?? 4_000));
  });
  child.stdout.resume();
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await once(child, 'spawn');
  const pid = child.pid!;
  const stopOnce = async (killAfterMs: number) => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    const code = await Promise.race([exited, sleep(killAfterMs, 'late' as const, { ref: false })]);
    killGroup(pid);
    return code === 'late' ? exited : code;
  };
  // Once only: long after the end the id may be somebody else's group.
  let stopping: Promise<number | null> | undefined;
  return {
    child,
    pid,
    stderrTail: () => tail,
    stop: (killAfterMs) => (stopping ??= stopOnce(killAfterMs)),
  };
}

/** KILL to whatever of the group is left; a group that is gone is what one hopes for. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/** The ids of processes whose tree was known and that still live, zombies aside. */
export function survivorsOf(pids: readonly number[]): number[] {
  return readTree(pids)
    .filter(({ state }) => state !== 'Z')
    .map(({ pid }) => pid);
}
