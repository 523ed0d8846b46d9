// The real ssh client, run as git would run it, for what git itself never asks of a server.

import { spawn } from 'node:child_process';
import type { SshKey } from '#support/ssh-key.ts';

export type SshResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type RunningSsh = AsyncDisposable & {
  readonly result: Promise<SshResult>;
};

/**
 * @param input 'open': nothing is sent, and no end of it, until the client is killed.
 * @param args what stands after the options of the key: further options, host, command.
 */
export function startSsh(
  key: SshKey,
  args: readonly string[],
  input: Buffer | 'open' = Buffer.alloc(0),
): RunningSsh {
  const [, ...options] = key.command.replaceAll("'", '').split(' ');
  const child = spawn('ssh', [...options, ...args], { stdio: 'pipe' });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {}); // ssh may end without reading it.
  if (input !== 'open') child.stdin.end(input);
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const result = new Promise<SshResult>((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      const [stdout, stderr] = [Buffer.concat(out).toString(), Buffer.concat(err).toString()];
      resolve({ code, stdout, stderr });
    });
  });
  return {
    result,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await result;
    },
  };
}

/** Runs it to its end, on the given port of loopback. */
export function runSsh(
  key: SshKey,
  port: number,
  args: readonly string[] = [],
  input?: Buffer,
): Promise<SshResult> {
  return startSsh(key, ['-p', String(port), 'git@127.0.0.1', ...args], input).result;
}
