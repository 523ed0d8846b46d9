// The life of a server that start-warren.ts started: its ready line, its log, its end, and what outlives it.

import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { eventually } from '#support/eventually.ts';
import { type ProcessRow, processesOf } from '#support/process-table.ts';

export type LogLine = Readonly<Record<string, unknown>> & { readonly message?: string };
export type ReadyLine = { readonly http: string; readonly ssh: string; readonly admin: string };
export type ServerExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type SupervisedServer = {
  readonly log: readonly LogLine[];
  /** Undefined while it runs. */
  readonly exit: ServerExit | undefined;
  /** Throws with the log when it exits or says nothing before. */
  ready(withinMs: number): Promise<ReadyLine>;
  /** SIGTERM; throws unless it exits with 0 and nothing of it stays. */
  stop(): Promise<void>;
  /** Sends the signal to the server alone and waits for its exit. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** SIGKILL to whatever is left of it. */
  endSurvivors(): Promise<void>;
};

const stopTimeoutMs = 40_000;

/** @param folders where its processes work or have their HOME: how survivors are found. */
export function superviseServer(
  child: ChildProcessByStdio<null, Readable, Readable>,
  folders: readonly string[],
): SupervisedServer {
  const log: LogLine[] = [];
  const stdoutLines: string[] = [];
  let exit: ServerExit | undefined;
  const { promise: exited, resolve } = Promise.withResolvers<ServerExit>();
  child.once('error', (error) => {
    log.push({ message: `it could not be started: ${error.message}` });
    resolve((exit = { code: null, signal: null }));
  });
  child.once('exit', (code, signal) => resolve((exit = { code, signal })));
  createInterface({ input: child.stderr }).on('line', (line) => log.push(parseLogLine(line)));
  createInterface({ input: child.stdout }).on('line', (line) => stdoutLines.push(line));

  const survivors = () => folders.flatMap((folder) => processesOf(folder));
  const tail = () =>
    log
      .slice(-30)
      .map((line) => JSON.stringify(line))
      .join('\n');

  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await exited;
    clearTimeout(timer);
  }
  return {
    log,
    get exit() {
      return exit;
    },
    async ready(withinMs) {
      // An exit ends the wait too: that server will not say it any more.
      await eventually(
        'the server is ready',
        () => findReady(stdoutLines) !== undefined || exit !== undefined,
        withinMs,
      ).catch(() => {});
      const line = findReady(stdoutLines);
      if (line !== undefined && exit === undefined) return line;
      throw new Error(`the server did not get ready: ${JSON.stringify(exit)}\n${tail()}`);
    },
    end,
    async stop() {
      await end('SIGTERM');
      if (exit?.code !== 0) {
        throw new Error(`the server ended with ${JSON.stringify(exit)} after SIGTERM\n${tail()}`);
      }
      const left = survivors();
      if (left.length > 0)
        throw new Error(`the server left processes: ${describe(left)}\n${tail()}`);
    },
    async endSurvivors() {
      for (const { pid } of survivors()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It ended by itself.
        }
      }
      await eventually('the survivors are gone', () => survivors().length === 0);
    },
  };
}

function findReady(lines: readonly string[]): ReadyLine | undefined {
  for (const line of lines) {
    const parsed = parseLogLine(line);
    if (parsed['event'] !== 'ready') continue;
    const { http, ssh, admin } = parsed;
    return { http: String(http), ssh: String(ssh), admin: String(admin) };
  }
  return undefined;
}

function parseLogLine(line: string): LogLine {
  try {
    // Only objects are logged; anything else is shown as text.
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed === 'object' && parsed !== null) return parsed as LogLine;
  } catch {
    // Not JSON: a crash of Node itself.
  }
  return { message: line };
}

function describe(rows: readonly ProcessRow[]): string {
  return rows.map(({ pid, name, state }) => `${pid} ${name} (${state})`).join(', ');
}
