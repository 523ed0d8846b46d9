// Starts git with the forced configuration and a clean environment: the way every other file here runs git.

import { availableParallelism } from 'node:os';
import { ForgeError } from '#kernel/forge-error.ts';
import type { Context } from '#kernel/context.ts';
import { buildChildEnvironment } from '#process/child-environment.ts';
import type { CommandLabel, ProcessMonitor } from '#process/process-monitor.ts';
import { runChild, type RunResult } from '#process/run-child.ts';
import { ownerVariable } from '#process/orphans.ts';
import type { OutputTaps } from '#process/output-tap.ts';
import { type Child, startChild } from '#process/start-child.ts';
import { forcedArguments } from '#git/forced-config.ts';
import { formatVersion, type GitVersion, hasFeature, parseGitVersion } from '#git/git-version.ts';

export type GitCommand = {
  /** Constant flags and values; never a leading user string without `--end-of-options` or `--flag=`. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly label: CommandLabel;
  readonly env?: Readonly<Record<string, string>>;
  /** Further -c options of this call. */
  readonly config?: readonly string[];
};

export type GitRunner = {
  readonly version: GitVersion;
  /** Runs to the end; a non-zero exit is a result. */
  run(
    ctx: Context,
    command: GitCommand & { readonly input?: string | Buffer; readonly maxBytes?: number },
  ): Promise<RunResult>;
  /** Like run, but a non-zero exit throws CHILD_FAILED; returns stdout as text. */
  read(
    ctx: Context,
    command: GitCommand & { readonly input?: string | Buffer; readonly maxBytes?: number },
  ): Promise<string>;
  /** For streams: the caller awaits `ended`. */
  start(
    ctx: Context,
    command: GitCommand & {
      readonly streamStderr?: boolean;
      /** The output is passed on as it comes: read it by `child.tap` where there is one. */
      readonly tapped?: boolean;
    },
  ): Promise<Child>;
};

/**
 * Finds git and reads its version, once.
 * @throws GIT_MISSING when there is none, or it is older than 2.39.
 */
export async function createGitRunner(
  ctx: Context,
  options: {
    readonly monitor: ProcessMonitor;
    readonly parentEnv: Readonly<Record<string, string | undefined>>;
    readonly program?: string;
    /** The data directory: marks children, so that the next start finds those a kill left behind. */
    readonly owner?: string;
    /** For children whose output streams to clients; without it they use ordinary pipes. */
    readonly taps?: OutputTaps;
  },
): Promise<GitRunner> {
  const { monitor, parentEnv, program = 'git', owner } = options;
  const baseEnv = buildChildEnvironment(parentEnv, {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    ...(owner === undefined ? {} : { [ownerVariable]: owner }),
    // Recorded nowhere by default, but some commands refuse to run without an identity.
    GIT_COMMITTER_NAME: 'Warren',
    GIT_COMMITTER_EMAIL: 'warren@localhost',
    GIT_AUTHOR_NAME: 'Warren',
    GIT_AUTHOR_EMAIL: 'warren@localhost',
  });
  const forced = forcedArguments(availableParallelism());
  const specOf = (command: GitCommand) => ({
    program,
    args: [
      ...forced,
      ...(command.config ?? []).flatMap((option) => ['-c', option]),
      ...command.args,
    ],
    cwd: command.cwd,
    env: { ...baseEnv, ...command.env },
    label: command.label,
    monitor,
  });
  const run: GitRunner['run'] = (runCtx, command) =>
    runChild(runCtx, {
      ...specOf(command),
      ...(command.input === undefined ? {} : { input: command.input }),
      ...(command.maxBytes === undefined ? {} : { maxBytes: command.maxBytes }),
    });
  const version = await readVersion(ctx, run);
  return {
    version,
    run,
    async read(readCtx, command) {
      const { code, signal, stdout, stderr } = await run(readCtx, command);
      if (code !== 0) {
        const what = command.args[0] ?? '';
        throw new ForgeError('CHILD_FAILED', {
          command: what,
          exit: code ?? String(signal),
          stderr,
          sentence: `git ${what}: ${stderr.split('\n').at(-1) ?? ''}`,
        });
      }
      return stdout.toString('utf8');
    },
    async start(startCtx, command) {
      startCtx.signal.throwIfAborted();
      const tap = command.tapped === true ? await options.taps?.open() : undefined;
      const { streamStderr = false } = command;
      return startChild(startCtx, { ...specOf(command), streamStderr, tap });
    },
  };
}

async function readVersion(ctx: Context, run: GitRunner['run']): Promise<GitVersion> {
  let text: string;
  try {
    const { stdout } = await run(ctx, { args: ['version'], cwd: '/', label: 'other' });
    text = stdout.toString('utf8');
  } catch (cause) {
    const sentence = 'git is not on the PATH; install it (2.39 or newer)';
    throw new ForgeError('GIT_MISSING', { sentence }, { cause });
  }
  const version = parseGitVersion(text);
  if (version === undefined || !hasFeature(version, 'supported')) {
    const found = version === undefined ? text.trim() : formatVersion(version);
    throw new ForgeError('GIT_MISSING', { sentence: `git 2.39 or newer is needed, not ${found}` });
  }
  return version;
}
