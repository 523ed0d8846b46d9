// A server under measurement, ours or the peer: an address, its processes, its CPU meter.

import type { CpuMeter } from '#load/measure/cpu-meter.ts';

export type BenchServer = {
  readonly side: 'ours' | 'peer';
  /** Address of a repository of the fixture set, without a trailing slash. */
  repositoryUrl(name: string): string;
  readonly rootPids: readonly number[];
  readonly cpu: CpuMeter;
};
