// What a bench owns while it runs: a temp folder, an abort signal, and closers that end what it started.
// bench.ts closes it on success, failure and Ctrl-C alike; nothing a bench starts may outlive it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloseStack } from '#kernel/close-stack.ts';

export type BenchScope = {
  /** Aborted by Ctrl-C or TERM: stop measuring and let the closers run. */
  readonly signal: AbortSignal;
  /** Own folder for data directories, sockets and clones; removed last. */
  readonly dir: string;
  readonly quick: boolean;
  /** Progress for a person, on stderr. */
  say(line: string): void;
  defer(name: string, close: () => void | Promise<void>): void;
};

/** A scope and the function that ends everything in it. */
export async function openScope(
  quick: boolean,
  signal: AbortSignal,
): Promise<{ scope: BenchScope; close: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'warren-bench-'));
  const closers = new CloseStack();
  closers.defer('temp folder', () => rm(dir, { recursive: true, force: true, maxRetries: 3 }));
  const scope: BenchScope = {
    signal,
    dir,
    quick,
    say: (line) => void process.stderr.write(`${line}\n`),
    defer: (name, close) => closers.defer(name, close),
  };
  return { scope, close: () => closers.close() };
}
