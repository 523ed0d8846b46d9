// Bench `limit`: 200 clients from 200 addresses against 16 slots. The peer has no limits, so statements take its column's place.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchScope } from '#load/bench-scope.ts';
import {
  fixture,
  type LimitRig,
  type Phase,
  runPhase,
  secondsUntilNormal,
  singleCloneMs,
} from '#load/benches/limit-phases.ts';
import { type LimitObservation, limitStatements } from '#load/benches/limit-statements.ts';
import { ratePerSecond } from '#load/client/outcome.ts';
import { startGenerator } from '#load/client/start-generator.ts';
import { buildFixture } from '#load/fixtures/build-fixture.ts';
import { quantile } from '#load/measure/quantile.ts';
import type { BenchReport, ResultRow } from '#load/report/result-row.ts';
import { startWarren } from '#load/server/start-warren.ts';

const slots = 16;
const overloadClients = 200;

/** At the limit, past it, at it again, then listings; with goodput compared within the run. */
export async function benchLimit(scope: BenchScope): Promise<BenchReport> {
  const repositories = new Map([[fixture, await buildFixture(fixture)]]);
  const server = await startWarren(scope, repositories, { WARREN_LIMIT_GIT_HTTP: String(slots) });
  const generator = await startGenerator(scope);
  const scratchDir = join(scope.dir, 'clones');
  await mkdir(scratchDir);
  const rig: LimitRig = { signal: scope.signal, server, generator, scratchDir };
  const [atLimitMs, overloadMs] = scope.quick ? [3_000, 10_000] : [15_000, 60_000];

  await runPhase(rig, 'raw-clone', slots, { afterMs: 1_000 });
  const beforeMs = await singleCloneMs(rig, 20);
  scope.say(`${slots} clients for ${atLimitMs / 1000} s`);
  const before = await runPhase(rig, 'raw-clone', slots, { afterMs: atLimitMs });
  scope.say(`${overloadClients} clients for ${overloadMs / 1000} s`);
  const overload = await runPhase(rig, 'raw-clone', overloadClients, { afterMs: overloadMs });
  const untilNormal = await secondsUntilNormal(rig, 2 * beforeMs);
  scope.say(`${slots} clients for ${atLimitMs / 1000} s`);
  const after = await runPhase(rig, 'raw-clone', slots, { afterMs: atLimitMs });
  const rawListings = scope.quick ? 400 : 1_000;
  scope.say(`${rawListings} listings by 32 clients, then real git`);
  const fewListers = await runPhase(rig, 'raw-list', 4, { operations: 200 });
  const listings: LimitObservation['listings'] = [
    await runPhase(rig, 'raw-list', 32, { operations: rawListings }),
    await runPhase(rig, 'git-list', 24, { operations: 24 }),
    // A real up-to-date fetch has first to have cloned; so many at once are below the limit.
    await runPhase(rig, 'git-fetch', 8, { operations: 24 }),
  ];

  const atLimitRate = (ratePerSecond(before.load) + ratePerSecond(after.load)) / 2;
  const observation: LimitObservation = {
    slots,
    atLimit: [before, after],
    overload,
    listings,
    listingRatio: ratePerSecond(listings[0].load) / ratePerSecond(fewListers.load),
    goodputRatio: ratePerSecond(overload.load) / atLimitRate,
    judgesGoodput: !scope.quick,
    secondsUntilNormal: untilNormal,
  };
  return {
    rows: limitRows(observation, beforeMs, atLimitRate),
    statements: limitStatements(observation),
    notes: [
      'Clones of the small fixture with --depth 1 by the raw generator, every client from an address of its own; closed loop, waiting as Retry-After says.',
      'The peer has no limit. Published: one Go process, 16 looping clones 131 clones/s, p50 225 ms, p99 504 ms; at 24, 18 of 814 failed after admission.',
    ],
  };
}

function limitRows(seen: LimitObservation, singleMs: number, atLimitRate: number): ResultRow[] {
  const { overload } = seen;
  const [before] = seen.atLimit;
  const [listings] = seen.listings;
  const row = (name: string, ours: number, unit: string, published?: number): ResultRow => {
    return { name, ours, peer: null, unit, ratio: null, published };
  };
  return [
    row('single clone: p50', singleMs, 'ms'),
    // 655 clones in 5 s.
    row('at the limit: goodput', atLimitRate, 'clones/s', 131),
    ...(before ? durationRows('at the limit', before, { p50: 225, p99: 504 }) : []),
    {
      ...row('past the limit: goodput', ratePerSecond(overload.load), 'clones/s'),
      bar: { text: '>= 0.9x of at the limit', met: seen.goodputRatio >= 0.9 },
    },
    row('past the limit: goodput / at the limit', seen.goodputRatio, 'x'),
    ...durationRows('past the limit', overload),
    row('past the limit: refusals', overload.load.refusals, 'refusals'),
    row('past the limit: most slots in use', overload.watch.mostInUse, 'slots'),
    row('past the limit: mean slots in use', overload.watch.meanInUse, 'slots'),
    row('after: normal again', seen.secondsUntilNormal, 's'),
    row('ls-remote, 32 clients: rate', ratePerSecond(listings.load), 'listings/s'),
    ...durationRows('ls-remote, 32 clients', listings),
    row('ls-remote, 32 clients: rate / 4 clients', seen.listingRatio, 'x'),
  ];
}

function durationRows(
  name: string,
  { load }: Phase,
  published: { p50?: number; p99?: number } = {},
): ResultRow[] {
  const row = (share: number, figure?: number): ResultRow => ({
    name: `${name}: p${share * 100}`,
    ours: quantile(load.durationsMs, share),
    peer: null,
    unit: 'ms',
    ratio: null,
    published: figure,
  });
  return [row(0.5, published.p50), row(0.99, published.p99)];
}
