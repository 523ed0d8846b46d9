// Signals and watches a process group. A group is gone when no member, not even a zombie, is left.

import { setTimeout as wait } from 'node:timers/promises';
import { errnoOf } from '#kernel/forge-error.ts';

/** Sends the signal to every member; false when the group is gone. */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    // EPERM: a member changed its user; it still exists.
    if (errnoOf(error) === 'EPERM') return true;
    return false;
  }
}

/** True when the group was gone within `withinMs`; polls, since only the parent of a member is told. */
export async function awaitGroupGone(groupId: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let delayMs = 1; signalGroup(groupId, 0); delayMs = Math.min(delayMs * 2, 50)) {
    if (performance.now() > until) return false;
    await wait(delayMs);
  }
  return true;
}
