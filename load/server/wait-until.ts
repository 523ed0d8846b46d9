// Polls for a state another process reaches in its own time.

import { setTimeout as sleep } from 'node:timers/promises';

/** @throws Error naming `what` after the time; the signal's reason when aborted. */
export async function waitUntil(
  signal: AbortSignal,
  what: string,
  isSo: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`after ${timeoutMs} ms still not: ${what}`);
    await sleep(50, undefined, { signal });
  }
}
