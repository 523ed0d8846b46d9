// The machine a figure belongs to: printed above the table and kept in the JSON line.

import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

export type Machine = {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  readonly git: string;
  /** One-minute load average before the bench began: above 0.5 a core the figures are not to be published. */
  readonly loadBefore: number;
};

/** Reads the machine; git's version stands in for the git that clients and both servers run. */
export function describeMachine(): Machine {
  const git = execFileSync('git', ['version'], { encoding: 'utf8' });
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release().split('-')[0]}`,
    node: process.versions.node,
    git: git.trim().replace('git version ', ''),
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
  };
}
