// The only place that starts a process (DESIGN rule 3). Callers: services/git and whatever else needs a program.
// Each child leads its own group; stop() ends the group by TERM, then KILL; `ended` resolves once the group is gone.
// (spawn({signal}) and child.kill() leave grandchildren such as pack-objects behind: measured.)

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ForgeError } from '#kernel/forge-error.ts';
import { onAbort } from '#kernel/abort.ts';
import type { Context } from '#kernel/context.ts';
import type { ChildEnvironment } from '#process/child-environment.ts';
import { awaitGroupGone, signalGroup } from '#process/process-group.ts';
import type { CommandLabel, ExitOutcome, ProcessMonitor } from '#process/process-monitor.ts';
import type { OutputTap } from '#process/output-tap.ts';
import { keepTail } from '#process/stderr-tail.ts';

export type StopCause = 'deadline' | 'client_gone' | 'shutdown';

export type ChildSpec = {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: ChildEnvironment;
  readonly label: CommandLabel;
  readonly monitor: ProcessMonitor;
  /** Passes stderr through as it comes (the caller reads `child.stderr`); otherwise only its tail is kept. */
  readonly streamStderr?: boolean;
  /** Becomes the child's stdout; the child's own is then empty, and the caller reads the tap. */
  readonly tap?: OutputTap | undefined;
  /** How long the group may take to end after TERM before it gets KILL. */
  readonly killAfterMs?: number;
};

export type ChildExit = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The first reason stop() was called with, when it was. */
  readonly stopped: StopCause | undefined;
  readonly stderr: string;
  readonly durationMs: number;
};

export type Child = {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Where stdout goes when the spec had one. */
  readonly tap: OutputTap | undefined;
  /** Resolves, never rejects, when the child has exited and its whole group is gone. */
  readonly ended: Promise<ChildExit>;
  /** Ends the group; the first cause is the one kept. Idempotent. */
  stop(cause: StopCause): void;
};

/**
 * Starts the program; an abort of `ctx.signal` stops it with cause client_gone.
 * @throws SPAWN_FAILED when the program cannot be launched (missing, no memory, too many processes).
 */
export async function startChild(ctx: Context, spec: ChildSpec): Promise<Child> {
  if (ctx.signal.aborted) spec.tap?.destroy();
  ctx.signal.throwIfAborted();
  const startedAt = performance.now();
  const child = launch(spec);
  const pid = await launched(child, spec);
  const stdout: Readable = spec.tap?.socket ?? pipeOf(child);
  spec.monitor.started(spec.label);
  child.stdin.on('error', () => {}); // EPIPE: the child stopped reading; its exit tells why.
  const tail = spec.streamStderr === true ? undefined : keepTail(child.stderr);

  let over = false;
  let stopped: StopCause | undefined;
  let hardKill: NodeJS.Timeout | undefined;
  function stop(cause: StopCause): void {
    // Once it is over the group's number may belong to somebody else.
    if (over || stopped !== undefined) return;
    stopped = cause;
    stdout.destroy();
    signalGroup(pid, 'SIGTERM');
    hardKill = setTimeout(() => signalGroup(pid, 'SIGKILL'), spec.killAfterMs ?? 2000);
  }
  const listening = onAbort(ctx.signal, () => stop('client_gone'));

  const ended = (async (): Promise<ChildExit> => {
    const [code, signal] = await exited(child);
    await endGroup(pid, stopped !== undefined, spec.monitor);
    over = true;
    clearTimeout(hardKill);
    listening[Symbol.dispose]();
    const durationMs = performance.now() - startedAt;
    const stderr = tail === undefined ? '' : await tail();
    const exit = { code, signal, stopped, stderr, durationMs };
    spec.monitor.ended(spec.label, outcomeOf(exit), durationMs / 1000);
    return exit;
  })();
  const { stdin, stderr } = child;
  return { pid, stdin, stdout, stderr, tap: spec.tap, ended, stop };
}

type Spawned = ChildProcessByStdio<Writable, Readable | null, Readable>;

/** Some failures come as an event (ENOENT, EAGAIN), others are thrown (ENOMEM, E2BIG): both are SPAWN_FAILED. */
function launch({ program, args, cwd, env, tap }: ChildSpec): Spawned {
  try {
    const options = { cwd, env, detached: true };
    if (tap === undefined)
      return spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    return spawn(program, args, {
      ...options,
      stdio: ['pipe', tap.childEnd, 'pipe'],
    });
  } catch (cause) {
    tap?.destroy();
    throw new ForgeError('SPAWN_FAILED', { program }, { cause });
  } finally {
    // The child has its own copy: its end of file must not wait for ours.
    tap?.childEnd.destroy();
  }
}

function pipeOf({ stdout }: Spawned): Readable {
  if (stdout === null) throw new TypeError('stdout is a pipe where there is no tap');
  return stdout;
}

function launched(child: Spawned, spec: ChildSpec): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { pid } = child;
  // A pid is there at once when fork and exec succeeded: no need to wait for the spawn event.
  if (pid !== undefined) resolve(pid);
  child.once('error', (cause) => {
    spec.tap?.socket.destroy();
    reject(new ForgeError('SPAWN_FAILED', { program: spec.program }, { cause }));
  });
  return promise;
}

function exited(child: Spawned): Promise<[number | null, NodeJS.Signals | null]> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve([code, signal]));
  });
}

/** After the leader's exit nothing of its group may stay: what lingers is ended too. */
async function endGroup(pid: number, wasStopped: boolean, monitor: ProcessMonitor): Promise<void> {
  if (!signalGroup(pid, 0)) return;
  if (await awaitGroupGone(pid, wasStopped ? 2000 : 200)) return;
  signalGroup(pid, 'SIGTERM');
  if (await awaitGroupGone(pid, 1000)) return;
  signalGroup(pid, 'SIGKILL');
  if (!(await awaitGroupGone(pid, 2000))) monitor.defunct();
}

/** SIGKILL that nobody here sent is the kernel's OOM killer, as far as a parent can tell. */
export function outcomeOf(exit: Pick<ChildExit, 'code' | 'signal' | 'stopped'>): ExitOutcome {
  if (exit.stopped === 'deadline') return 'deadline';
  if (exit.stopped !== undefined) return 'client_gone';
  if (exit.signal === 'SIGKILL') return 'oom';
  if (exit.signal !== null) return 'signal';
  return exit.code === 0 ? 'ok' : 'error';
}
