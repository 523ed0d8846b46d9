// Parses /proc/<pid>/stat and finds a process's descendants; read by tree-sampler.ts and cpu-meter.ts.

import { readdirSync, readFileSync } from 'node:fs';

export type ProcessStat = {
  readonly pid: number;
  readonly command: string;
  readonly parentPid: number;
  readonly state: string;
  /** User and system time of the process itself and of the children it has waited for, in clock ticks. */
  readonly ticks: number;
  readonly reapedTicks: number;
  readonly residentPages: number;
};

/** The command stands in parentheses and may itself hold spaces and parentheses. */
export function parseProcessStat(text: string): ProcessStat {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  const fields = text
    .slice(close + 2)
    .trim()
    .split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid: Number(text.slice(0, open)),
    command: text.slice(open + 1, close),
    state: fields[0] ?? '?',
    parentPid: field(4),
    ticks: field(14) + field(15),
    reapedTicks: field(16) + field(17),
    residentPages: field(24),
  };
}

/** Undefined when the process is gone. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The processes with these ids and all that descend from them, as they are now. */
export function readTree(roots: readonly number[]): ProcessStat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcessStat(Number(name)))
    .filter((stat) => stat !== undefined);
  return selectTree(all, roots);
}

/** The pure part of readTree. */
export function selectTree(all: readonly ProcessStat[], roots: readonly number[]): ProcessStat[] {
  const byParent = Map.groupBy(all, ({ parentPid }) => parentPid);
  const selected = all.filter(({ pid }) => roots.includes(pid));
  for (const parent of selected) selected.push(...(byParent.get(parent.pid) ?? []));
  return selected;
}
