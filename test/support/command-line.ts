// Runs `warren` commands for tests: in this process with streams that remember, or as a child as a person has it.

import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { CommandIo } from '#entry/commands/command.ts';
import { runCommandLine } from '#entry/commands/run-command-line.ts';
import { nodeProgram } from '#support/start-warren.ts';

export type CommandResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type CommandOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
  readonly isTTY?: boolean;
  readonly signal?: AbortSignal;
};

const root = fileURLToPath(new URL('../../', import.meta.url));

/** In this process, without the cost of a start. */
export async function runCommand(
  args: readonly string[],
  { env = {}, stdin = '', cwd = root, isTTY = false, signal }: CommandOptions = {},
): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' };
  const terminal = (name: 'stdout' | 'stderr') => ({
    isTTY,
    columns: 80,
    write: (text: string) => void (written[name] += text),
  });
  const io: CommandIo = {
    env,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: terminal('stdout'),
    stderr: terminal('stderr'),
    cwd,
    signal: signal ?? new AbortController().signal,
  };
  const code = await runCommandLine(args, io);
  return { code, ...written };
}

export type ChildResult = CommandResult & { readonly signal: NodeJS.Signals | null };

export type RunningCommand = {
  readonly result: Promise<ChildResult>;
  readonly stdout: Readable;
  kill(signal: NodeJS.Signals): void;
};

/** @param program what npx runs, or the program itself. */
export function startCommand(
  program: 'bin/warren.mjs' | 'services/entry/warren.ts',
  args: readonly string[],
  { env = {}, stdin = '', cwd = root }: CommandOptions = {},
): RunningCommand {
  const child = spawn(nodeProgram, [`${root}${program}`, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', ...env },
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  child.stdin.on('error', () => {}); // It may end without reading it.
  child.stdin.end(stdin);
  const { promise, resolve, reject } = Promise.withResolvers<ChildResult>();
  child.once('error', reject);
  child.once('close', (code, signal) => resolve({ code, signal, ...written }));
  return { result: promise, stdout: child.stdout, kill: (signal) => void child.kill(signal) };
}
