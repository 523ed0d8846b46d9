// CPU seconds of a whole server: everything that was ever started below it, also what has ended.
// fcgiwrap ignores SIGCHLD, so the kernel does not add its git children to anybody's reaped time; only a control group
// counts them. Where no group can be made, /proc serves for servers that reap their children, and the peer has no figure.

import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTree } from '#load/measure/process-stat.ts';

const ticksPerSecond = 100;

export type CpuMeter = {
  readonly method: 'cgroup' | 'proc';
  /** The folder whose cgroup.procs a server must join before it starts; none with method `proc`. */
  readonly groupDir: string | undefined;
  /** CPU seconds since the meter was made, of the tree below these processes. */
  readCpuSeconds(rootPids: readonly number[]): number;
  /** Call when every process of the group has ended. */
  close(): Promise<void>;
};

/** A meter for one server; `name` must be unique in this process. */
export function createCpuMeter(name: string): CpuMeter {
  for (const { parent, usageFile, unitsPerSecond } of candidateGroups()) {
    const groupDir = `${parent}/warren-bench-${process.pid}-${name}`;
    if (!tryCreate(groupDir, usageFile)) continue;
    return {
      method: 'cgroup',
      groupDir,
      readCpuSeconds: () =>
        parseUsage(readFileSync(`${groupDir}/${usageFile}`, 'utf8')) / unitsPerSecond,
      close: () => removeGroup(groupDir),
    };
  }
  return {
    method: 'proc',
    groupDir: undefined,
    readCpuSeconds: (rootPids) =>
      readTree(rootPids).reduce((sum, stat) => sum + stat.ticks + stat.reapedTicks, 0) /
      ticksPerSecond,
    close: () => Promise.resolve(),
  };
}

/** `cpuacct.usage` is one number of nanoseconds; `cpu.stat` has a line `usage_usec N`. */
export function parseUsage(text: string): number {
  return Number(/^(?:usage_usec )?(\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

type CandidateGroup = { parent: string; usageFile: string; unitsPerSecond: number };

function candidateGroups(): CandidateGroup[] {
  if (!existsSync('/proc/self/cgroup')) return [];
  const found: CandidateGroup[] = [];
  for (const line of readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const own = path === '/' ? '' : path;
    if (controllers.split(',').includes('cpuacct'))
      found.push({
        parent: `/sys/fs/cgroup/${controllers}${own}`,
        usageFile: 'cpuacct.usage',
        unitsPerSecond: 1e9,
      });
    if (controllers === '')
      for (const mount of ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'])
        found.push({ parent: mount + own, usageFile: 'cpu.stat', unitsPerSecond: 1e6 });
  }
  return found;
}

function tryCreate(groupDir: string, usageFile: string): boolean {
  try {
    mkdirSync(groupDir);
  } catch {
    return false;
  }
  if (existsSync(`${groupDir}/${usageFile}`)) return true;
  rmdirSync(groupDir);
  return false;
}

async function removeGroup(groupDir: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      rmdirSync(groupDir);
      return;
    } catch (cause) {
      if (attempt === 49) throw new Error(`${groupDir} still holds processes`, { cause });
      await sleep(100);
    }
  }
}
