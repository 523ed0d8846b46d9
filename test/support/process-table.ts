// Reads /proc: which processes exist, whose children they are, in which group. Zombies count as existing.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export type ProcessRow = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly state: string;
  readonly name: string;
  /** Clock ticks after boot; with the pid it identifies a process for good. */
  readonly startedAt: number;
};

export function listProcesses(): ProcessRow[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => readProcess(Number(entry)))
    .filter((row) => row !== undefined);
}

export function readProcess(pid: number): ProcessRow | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may itself hold spaces and parentheses.
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const at = (index: number) => Number(fields[index]);
    return { pid, parent: at(1), group: at(2), state: fields[0] ?? '', name, startedAt: at(19) };
  } catch {
    return undefined; // It ended meanwhile.
  }
}

/** A zombie counts when it is ours to reap; one that waits for the machine's init is gone as far as we go. */
export function groupMembers(group: number): ProcessRow[] {
  return listProcesses().filter(
    (row) => row.group === group && (row.state !== 'Z' || row.parent === process.pid),
  );
}

/** Children, their children and so on; not the process itself. */
export function descendantsOf(pid: number): ProcessRow[] {
  const all = listProcesses();
  const found: ProcessRow[] = [];
  const parents = [pid];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const row of all) {
      if (row.parent !== parent) continue;
      found.push(row);
      parents.push(row.pid);
    }
  }
  return found;
}

/** Processes that work below the folder or have it as HOME: finds orphans that no parent names any more. */
export function processesOf(folder: string): ProcessRow[] {
  return listProcesses().filter(
    ({ pid, state }) => pid !== process.pid && state !== 'Z' && belongsTo(pid, folder),
  );
}

function belongsTo(pid: number, folder: string): boolean {
  try {
    if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)) return true;
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .some((entry) => entry.startsWith(`HOME=${folder}`));
  } catch {
    return false;
  }
}

/** What each open descriptor points to: `socket:[…]`, `pipe:[…]`, a file. */
export function openFiles(pid: number | 'self' = 'self'): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return []; // The descriptor of this very readdir.
    }
  });
}
