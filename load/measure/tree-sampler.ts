// Samples a server while it is under load for the columns of the founding table: resident memory, open files, git children.
// A sample costs a few milliseconds of the bench's process, so it is taken rarely and kept out of the generator's.

import { readdirSync } from 'node:fs';
import { readTree } from '#load/measure/process-stat.ts';

const pageBytes = 4096;

export type TreePeaks = {
  /** Of the server's own process. */
  readonly rssMiB: number;
  /** Of the server and everything below it; shared pages count for each. */
  readonly treeRssMiB: number;
  readonly openFiles: number;
  readonly gitChildren: number;
};

export type TreeSampler = { stop(): TreePeaks };

/** Starts sampling the tree of `rootPid`; stop() returns the peaks. */
export function sampleTree(rootPid: number, intervalMs = 200): TreeSampler {
  let peaks: TreePeaks = { rssMiB: 0, treeRssMiB: 0, openFiles: 0, gitChildren: 0 };
  const take = () => {
    const tree = readTree([rootPid]);
    const root = tree.find(({ pid }) => pid === rootPid);
    const treePages = tree.reduce((sum, { residentPages }) => sum + residentPages, 0);
    peaks = {
      rssMiB: Math.max(peaks.rssMiB, mebibytes(root?.residentPages ?? 0)),
      treeRssMiB: Math.max(peaks.treeRssMiB, mebibytes(treePages)),
      openFiles: Math.max(peaks.openFiles, countOpenFiles(rootPid)),
      gitChildren: Math.max(peaks.gitChildren, tree.filter(isGit).length),
    };
  };
  take();
  const timer = setInterval(take, intervalMs);
  return {
    stop() {
      clearInterval(timer);
      take();
      return peaks;
    },
  };
}

function isGit({ command, state }: { command: string; state: string }): boolean {
  return command.startsWith('git') && state !== 'Z';
}

function mebibytes(pages: number): number {
  return (pages * pageBytes) / 2 ** 20;
}

function countOpenFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
