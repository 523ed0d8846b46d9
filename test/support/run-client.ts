// Runs a git client of another make, in a group of its own, and keeps what it says. Called by test/clients and by the
// installation of those clients.

import { spawn } from 'node:child_process';

export type ClientResult = {
  readonly code: number | null;
  /** stdout and stderr as they came: what a person sees. */
  readonly shown: string;
};

export type ClientOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
};

/** @throws Error with what it said so far when it takes longer than it may, or cannot be started. */
export function runClient(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env, timeoutMs = 30_000 }: ClientOptions,
): Promise<ClientResult> {
  const child = spawn(program, args, {
    cwd,
    env: env ?? process.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<ClientResult>();
  let shown = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (shown += text));
  }
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    reject(new Error(`${program} ${args.join(' ')} took over ${timeoutMs} ms: ${shown}`));
  }, timeoutMs);
  child.once('error', (error) => {
    clearTimeout(timer);
    reject(error);
  });
  child.once('close', (code) => {
    clearTimeout(timer);
    resolve({ code, shown });
  });
  return promise;
}
