// Ends children of a server that was killed: each child carries its data directory in its environment, so they are
// found after the server that knew them is gone. Called at start, under the data directory's lock. Linux only;
// elsewhere a child ends by itself when its pipes do.

import type { Log } from '#kernel/log.ts';
import { hasEnvironment, listProcesses } from '#process/proc-table.ts';
import { awaitGroupGone, signalGroup } from '#process/process-group.ts';

export const ownerVariable = 'WARREN_OWNER';

/** @returns how many process groups were ended. */
export async function stopOrphans(owner: string, log: Log): Promise<number> {
  const groups = new Set<number>();
  for (const { pid, group } of await listProcesses()) {
    if (group > 1 && (await hasEnvironment(pid, `${ownerVariable}=${owner}`))) groups.add(group);
  }
  for (const group of groups) {
    log.warn('ending a child that a killed server left behind', { group });
    signalGroup(group, 'SIGTERM');
    if (await awaitGroupGone(group, 2000)) continue;
    signalGroup(group, 'SIGKILL');
    await awaitGroupGone(group, 2000);
  }
  return groups.size;
}
