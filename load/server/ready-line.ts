// The JSON line on stdout by which a server says that it serves, and where.

import { createInterface } from 'node:readline';
import type { Launched } from '#load/server/launch.ts';

export type ReadyLine = { readonly http: string; readonly ssh: string; readonly admin: string };

/** The addresses when this line is the ready line; other lines (npm prints some) are none. */
export function parseReadyLine(line: string): ReadyLine | undefined {
  if (!line.startsWith('{')) return undefined;
  const parsed = JSON.parse(line) as Record<string, unknown>;
  const { event, http, ssh, admin } = parsed;
  if (event !== 'ready') return undefined;
  return { http: String(http), ssh: String(ssh), admin: String(admin) };
}

/** @throws Error with the end of stderr when the process ends first or takes longer than the time. */
export async function awaitReadyLine(
  signal: AbortSignal,
  { child, stderrTail }: Launched,
  timeoutMs = 30_000,
): Promise<ReadyLine> {
  const ready = Promise.withResolvers<ReadyLine>();
  const fail = (what: string) => ready.reject(new Error(`${what}: ${stderrTail().trim()}`));
  const onExit = (code: number | null) => fail(`the server ended with ${code} before it was ready`);
  const onAbort = () => fail('stopped while the server was starting');
  const timer = setTimeout(() => fail(`the server was not ready after ${timeoutMs} ms`), timeoutMs);
  child.once('exit', onExit);
  signal.addEventListener('abort', onAbort, { once: true });
  const lines = createInterface({ input: child.stdout! });
  lines.on('line', (line) => {
    const parsed = parseReadyLine(line);
    if (parsed) ready.resolve(parsed);
  });
  try {
    return await ready.promise;
  } finally {
    clearTimeout(timer);
    child.off('exit', onExit);
    signal.removeEventListener('abort', onAbort);
    lines.close();
    // Later output must not fill the pipe.
    child.stdout!.resume();
  }
}
