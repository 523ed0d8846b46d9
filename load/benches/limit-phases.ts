// The phases of the limit bench: each is one load against the server, watched through its metrics.

import type { Operation } from '#load/client/load-job.ts';
import type { LoadJob } from '#load/client/load-job.ts';
import type { LoadResult } from '#load/client/outcome.ts';
import type { Generator } from '#load/client/start-generator.ts';
import { recordedFixture } from '#load/fixtures/recorded.ts';
import { median } from '#load/measure/quantile.ts';
import { readLimits, totalRefusals } from '#load/server/limit-metrics.ts';
import { type LimitWatch, watchLimit } from '#load/server/limit-watcher.ts';
import type { WarrenServer } from '#load/server/start-warren.ts';
import { waitUntil } from '#load/server/wait-until.ts';

export const fixture = 'small';

export type LimitRig = {
  readonly signal: AbortSignal;
  readonly server: WarrenServer;
  readonly generator: Generator;
  readonly scratchDir: string;
};

export type Phase = {
  readonly load: LoadResult;
  readonly watch: LimitWatch;
  /** What the server counted meanwhile. */
  readonly serverRefusals: number;
  /** Slots in use right after the last answer, and how long until none was. */
  readonly inUseAfter: number;
  readonly idleAfterMs: number;
};

/** Runs clients in closed loops, each from an address of its own. */
export async function runPhase(
  rig: LimitRig,
  operation: Operation,
  clients: number,
  until: LoadJob['until'],
): Promise<Phase> {
  const { adminUrl } = rig.server;
  const before = totalRefusals(await readLimits(adminUrl));
  const watcher = watchLimit(adminUrl);
  const load = await rig.generator.run(jobOf(rig, operation, clients, until));
  const endedAt = performance.now();
  const after = await readLimits(adminUrl);
  const watch = await watcher.stop();
  await waitUntil(rig.signal, 'no slot is in use', async () => {
    return (await readLimits(adminUrl)).slotsInUse === 0;
  });
  return {
    load,
    watch,
    serverRefusals: totalRefusals(after) - before,
    inUseAfter: after.slotsInUse,
    idleAfterMs: performance.now() - endedAt,
  };
}

/** The median duration of single clones, one after the other. */
export async function singleCloneMs(rig: LimitRig, clones: number): Promise<number> {
  const load = await rig.generator.run(jobOf(rig, 'raw-clone', 1, { operations: clones }));
  if (load.durationsMs.length < clones)
    throw new Error(`single clones failed: ${JSON.stringify(load.failureReasons)}`);
  return median(load.durationsMs);
}

/** Seconds until five single clones were as fast as `normalMs` allows; infinite when they are not within the time. */
export async function secondsUntilNormal(
  rig: LimitRig,
  normalMs: number,
  timeoutMs = 15_000,
): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < timeoutMs) {
    const isNormal = (await singleCloneMs(rig, 5)) <= normalMs;
    if (isNormal) return (performance.now() - startedAt) / 1000;
  }
  return Number.POSITIVE_INFINITY;
}

function jobOf(
  { server, scratchDir }: LimitRig,
  operation: Operation,
  clients: number,
  until: LoadJob['until'],
): LoadJob {
  return {
    operation,
    url: server.repositoryUrl(fixture),
    depth: 1,
    clients,
    ownAddresses: true,
    until,
    objects: recordedFixture(fixture).tipObjects,
    scratchDir,
  };
}
