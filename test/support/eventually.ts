// Waits for something that must become true soon, without a fixed sleep.

import { setTimeout as wait } from 'node:timers/promises';

/**
 * Calls `check` until it returns without throwing and its result is not undefined or false.
 * @throws what the last call threw, or an error naming `what`, after `withinMs`.
 */
export async function eventually<T>(
  what: string,
  check: () => T | Promise<T>,
  withinMs = 5000,
): Promise<Exclude<T, undefined | false>> {
  const until = performance.now() + withinMs;
  for (let delayMs = 2; ; delayMs = Math.min(delayMs * 2, 50)) {
    let failure: unknown;
    try {
      const result = await check();
      // The two values that mean "not yet" are excluded just here.
      if (result !== undefined && result !== false) return result as Exclude<T, undefined | false>;
    } catch (error) {
      failure = error;
    }
    if (performance.now() > until) {
      throw new Error(`not within ${withinMs} ms: ${what}`, { cause: failure });
    }
    await wait(delayMs);
  }
}
