// The real git client in an environment of its own: no configuration of the machine or the person, no prompt.
// Every command runs in a process group that ends with the client, so nothing is left behind.

import { type ChildProcess, spawn } from 'node:child_process';
import { createTempDirectory } from '#support/temp-directory.ts';

export type GitOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  readonly timeoutMs?: number;
};

export type GitResult = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stdoutBytes: Buffer;
  readonly stderr: string;
};

export type RunningGit = {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly result: Promise<GitResult>;
  /** Ends git and its helpers (git-remote-http, ssh) at once. */
  kill(signal?: NodeJS.Signals): void;
};

export type GitClient = AsyncDisposable & {
  /** HOME of every command; also the cwd when none is given. */
  readonly home: string;
  start(args: readonly string[], options?: GitOptions): RunningGit;
  run(args: readonly string[], options?: GitOptions): Promise<GitResult>;
  /** Output without its last newline; throws with stderr when git fails. */
  ok(args: readonly string[], options?: GitOptions): Promise<string>;
};

/** The environment of a git with no configuration but its own. */
export function buildGitEnvironment(
  home: string,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Test Author',
    GIT_AUTHOR_EMAIL: 'author@example.test',
    GIT_COMMITTER_NAME: 'Test Author',
    GIT_COMMITTER_EMAIL: 'author@example.test',
    ...extra,
  };
}

/** Use it as `await using git = await createGitClient()`. */
export async function createGitClient(
  env: Readonly<Record<string, string>> = {},
): Promise<GitClient> {
  const folder = await createTempDirectory('git');
  const home = folder.path;
  const running = new Set<RunningGit>();
  function start(args: readonly string[], options: GitOptions = {}): RunningGit {
    const command = startGit(args, {
      cwd: home,
      timeoutMs: 30_000,
      ...options,
      env: buildGitEnvironment(home, { ...env, ...options.env }),
    });
    running.add(command);
    void command.result.finally(() => running.delete(command)).catch(() => {});
    return command;
  }
  return {
    home,
    start,
    run: (args, options) => start(args, options).result,
    async ok(args, options) {
      const { code, stdout, stderr } = await start(args, options).result;
      if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`);
      return stdout.replace(/\n$/, '');
    },
    async [Symbol.asyncDispose]() {
      for (const command of running) command.kill();
      await Promise.allSettled([...running].map(({ result }) => result));
      await folder[Symbol.asyncDispose]();
    },
  };
}

function startGit(
  args: readonly string[],
  options: GitOptions & { timeoutMs: number },
): RunningGit {
  const child = spawn('git', args, { cwd: options.cwd, env: options.env, detached: true });
  const { promise, resolve, reject } = Promise.withResolvers<GitResult>();
  const pid = child.pid ?? 0;
  function kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    try {
      if (pid !== 0) process.kill(-pid, signal);
    } catch {
      // The group is gone already.
    }
  }
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    kill();
  }, options.timeoutMs);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {}); // git may end without reading it.
  child.stdin.end(options.input ?? '');
  child.once('error', (error) => {
    clearTimeout(timer);
    reject(error);
  });
  child.once('close', (code, signal) => {
    clearTimeout(timer);
    const stdoutBytes = Buffer.concat(out);
    const stderr = Buffer.concat(err).toString();
    if (late)
      reject(new Error(`git ${args.join(' ')} took over ${options.timeoutMs} ms: ${stderr}`));
    else resolve({ code, signal, stdout: stdoutBytes.toString(), stdoutBytes, stderr });
  });
  return { pid, child, result: promise, kill };
}
