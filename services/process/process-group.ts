// Signals and watches a process group. A group is gone when no member runs: a zombie holds nothing but its number until
// somebody reaps it, and in a container without an init that may be never.

import { setTimeout as wait } from 'node:timers/promises';
import { errnoOf } from '#kernel/forge-error.ts';
import { listProcesses } from '#process/proc-table.ts';

/** Sends the signal to every member; false when there is no member, not even a zombie. */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-groupId, signal);
    return true;
  } catch (error) {
    // EPERM: a member changed its user; it still exists.
    return errnoOf(error) === 'EPERM';
  }
}

/** True when no member of the group ran any more within `withinMs`; polls, since only a parent is told. */
export async function awaitGroupGone(groupId: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let delayMs = 1; signalGroup(groupId, 0); delayMs = Math.min(delayMs * 2, 50)) {
    // Looking at every process costs more than a signal: only when it has not gone by itself at once.
    if (delayMs >= 4 && (await hasOnlyZombies(groupId))) return true;
    if (performance.now() > until) return false;
    await wait(delayMs);
  }
  return true;
}

async function hasOnlyZombies(groupId: number): Promise<boolean> {
  const members = (await listProcesses()).filter(({ group }) => group === groupId);
  return members.length > 0 && members.every(({ isZombie }) => isZombie);
}
