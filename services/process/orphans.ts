// Ends children of a server that was killed: each child carries its data directory in its environment, so they are
// found after the server that knew them is gone. Called at start, under the data directory's lock. Linux only;
// elsewhere there is no /proc, and a child ends by itself when its pipes do.

import { readdir, readFile } from 'node:fs/promises';
import type { Log } from '#kernel/log.ts';
import { awaitGroupGone, signalGroup } from '#process/process-group.ts';

export const ownerVariable = 'WARREN_OWNER';

/** @returns how many process groups were ended. */
export async function stopOrphans(owner: string, log: Log): Promise<number> {
  const groups = await findGroups(`${ownerVariable}=${owner}`);
  for (const group of groups) {
    log.warn('ending a child that a killed server left behind', { group });
    signalGroup(group, 'SIGTERM');
    if (await awaitGroupGone(group, 2000)) continue;
    signalGroup(group, 'SIGKILL');
    await awaitGroupGone(group, 2000);
  }
  return groups.size;
}

async function findGroups(mark: string): Promise<Set<number>> {
  const groups = new Set<number>();
  for (const pid of await listPids()) {
    const [environment, stat] = await Promise.all([
      readIfAllowed(`/proc/${pid}/environ`),
      readIfAllowed(`/proc/${pid}/stat`),
    ]);
    if (!environment.split('\0').includes(mark)) continue;
    // Fields after the name, which may hold anything but ends with the last parenthesis: state, ppid, pgrp.
    const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
    if (group > 1) groups.add(group);
  }
  return groups;
}

async function listPids(): Promise<readonly string[]> {
  try {
    const names = await readdir('/proc');
    return names.filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // No /proc on this platform.
  }
}

async function readIfAllowed(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    return ''; // It has ended meanwhile, or belongs to somebody else.
  }
}
