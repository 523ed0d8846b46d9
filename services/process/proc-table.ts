// The processes of this machine as Linux shows them under /proc; empty on platforms without it.

import { readdir, readFile } from 'node:fs/promises';

export type ProcessEntry = {
  readonly pid: number;
  readonly group: number;
  /** Ended, and only waiting for its parent to ask how. */
  readonly isZombie: boolean;
};

export async function listProcesses(): Promise<readonly ProcessEntry[]> {
  const pids = await listPids();
  const entries = await Promise.all(pids.map(readEntry));
  return entries.filter((entry) => entry !== undefined);
}

/** Whether the process was started with this `NAME=value` in its environment. */
export async function hasEnvironment(pid: number, assignment: string): Promise<boolean> {
  return (await readIfAllowed(`/proc/${pid}/environ`)).split('\0').includes(assignment);
}

async function readEntry(pid: number): Promise<ProcessEntry | undefined> {
  const stat = await readIfAllowed(`/proc/${pid}/stat`);
  // After the name, which may hold anything but ends with the last parenthesis: state, parent, group.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || group === undefined) return undefined;
  return { pid, group: Number(group), isZombie: state === 'Z' };
}

async function listPids(): Promise<readonly number[]> {
  try {
    return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  } catch {
    return [];
  }
}

async function readIfAllowed(path: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch {
    return ''; // It has ended meanwhile, or belongs to somebody else.
  }
}
