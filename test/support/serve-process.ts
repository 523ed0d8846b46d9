// `warren serve` as a bare child, for tests of the start and the end themselves: exit codes, signals, single services.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodeProgram } from '#support/start-warren.ts';
import {
  type ReadyLine,
  type SupervisedServer,
  superviseServer,
} from '#support/supervise-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export type ServeProcess = AsyncDisposable &
  SupervisedServer & {
    readonly pid: number;
    readonly stdout: () => string;
    signal(name: NodeJS.Signals): void;
    /** Resolves when it has ended by itself. */
    ended(withinMs?: number): Promise<{ code: number | null; stderr: string }>;
    started(): Promise<ReadyLine>;
  };

/** @param folders where its processes work: how survivors are found. */
export function startServe(
  env: Readonly<Record<string, string>>,
  folders: readonly string[],
  args: readonly string[] = [],
): ServeProcess {
  const child = spawn(nodeProgram, ['services/entry/warren.ts', 'serve', ...args], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: folders[0] ?? '/nonexistent',
      WARREN_HTTP_PORT: '0',
      WARREN_SSH_PORT: '0',
      WARREN_ADMIN_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const server = superviseServer(child, folders);
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', (code) => resolve(code));
  });
  return {
    ...server,
    get exit() {
      return server.exit;
    },
    pid: child.pid ?? 0,
    stdout: () => stdout,
    signal: (name) => void child.kill(name),
    started: () => server.ready(20_000),
    async ended(withinMs = 15_000) {
      const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
      const code = await closed;
      clearTimeout(timer);
      return { code, stderr };
    },
    async [Symbol.asyncDispose]() {
      if (server.exit === undefined) await server.end('SIGKILL');
      await server.endSurvivors();
    },
  };
}
