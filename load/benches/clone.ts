// Bench `clone`: clones at concurrency 4, ours and git http-backend behind nginx in turns, by real git and by the raw
// v2 generator; rates, durations, the server's CPU seconds a clone, and the founding columns for our side.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchScope } from '#load/bench-scope.ts';
import { type CloneCase, cloneCases, cloneFixtures } from '#load/benches/clone-case.ts';
import { cloneRows, type CloneRound } from '#load/benches/clone-rows.ts';
import { type LoadResult } from '#load/client/outcome.ts';
import { type Generator, startGenerator } from '#load/client/start-generator.ts';
import { buildFixture } from '#load/fixtures/build-fixture.ts';
import { pairedRounds, type Round } from '#load/measure/paired-rounds.ts';
import { sampleTree } from '#load/measure/tree-sampler.ts';
import { startPeer } from '#load/peer/start-peer.ts';
import type { BenchReport, Statement } from '#load/report/result-row.ts';
import type { BenchServer } from '#load/server/bench-server.ts';
import { startWarren } from '#load/server/start-warren.ts';

const concurrency = 4;

/** Runs every case in turn; what must be true is that every clone succeeds. */
export async function benchClone(scope: BenchScope): Promise<BenchReport> {
  const repositories = new Map<string, string>();
  for (const name of cloneFixtures) repositories.set(name, await buildFixture(name));
  const servers = {
    // All clones come from one address; its share is not what this bench asks about.
    ours: await startWarren(scope, repositories, { WARREN_LIMIT_GIT_HTTP_CLIENT: '16' }),
    peer: await startPeer(scope, repositories),
  };
  const generator = await startGenerator(scope);
  const scratchDir = join(scope.dir, 'clones');
  await mkdir(scratchDir);
  const [rounds, windowMs] = scope.quick ? [5, 250] : [7, 5_000];
  const report: { rows: BenchReport['rows'][number][]; statements: Statement[] } = {
    rows: [],
    statements: [],
  };
  for (const each of cloneCases) {
    scope.say(`${each.name}: ${rounds} rounds of 2 x ${windowMs / 1000} s`);
    const measure = (server: BenchServer) =>
      measureClones({ generator, server, each, windowMs, scratchDir });
    // Opens connections, fills caches and shows at once when something does not work.
    for (const side of ['ours', 'peer'] as const)
      await measureClones({ generator, server: servers[side], each, windowMs: 100, scratchDir });
    const results = await pairedRounds(rounds, (side) => measure(servers[side]));
    report.rows.push(...cloneRows(each, results));
    report.statements.push(everyCloneSucceeded(each, results));
  }
  return { ...report, notes: describeMethod(servers.ours, servers.peer) };
}

type MeasureInput = {
  readonly generator: Generator;
  readonly server: BenchServer;
  readonly each: CloneCase;
  readonly windowMs: number;
  readonly scratchDir: string;
};

async function measureClones(input: MeasureInput): Promise<CloneRound> {
  const { generator, server, each, windowMs, scratchDir } = input;
  const cpuBefore = server.cpu.readCpuSeconds(server.rootPids);
  const sampler = server.side === 'ours' ? sampleTree(server.rootPids[0]!) : undefined;
  const load = await generator.run({
    operation: each.operation,
    url: server.repositoryUrl(each.fixture),
    ...(each.depth === undefined ? {} : { depth: each.depth }),
    clients: concurrency,
    ownAddresses: false,
    until: { afterMs: windowMs },
    objects: each.objects,
    scratchDir,
  });
  const cpuSeconds = server.cpu.readCpuSeconds(server.rootPids) - cpuBefore;
  return { load, cpuSeconds, cpuMethod: server.cpu.method, peaks: sampler?.stop() };
}

function everyCloneSucceeded(each: CloneCase, rounds: readonly Round<CloneRound>[]): Statement {
  const troubles = rounds.flatMap(({ ours, peer }) => [
    ...troublesOf('ours', ours.load),
    ...troublesOf('peer', peer.load),
  ]);
  return {
    text: `${each.name}: every clone of both sides succeeded`,
    holds: troubles.length === 0,
    seen: troubles.length === 0 ? 'yes' : [...new Set(troubles)].slice(0, 3).join('; '),
  };
}

function troublesOf(side: string, { failureReasons, refusals }: LoadResult): string[] {
  const reasons = Object.entries(failureReasons).map(
    ([reason, times]) => `${side} ${times} x ${reason}`,
  );
  return refusals === 0 ? reasons : [...reasons, `${side} ${refusals} refused`];
}

function describeMethod(ours: BenchServer, peer: BenchServer): string[] {
  return [
    'Peer: git http-backend behind nginx and fcgiwrap, the same git, settings and packs. Clients and both servers share this machine.',
    `CPU seconds of the whole server with all its children: ours by ${ours.cpu.method}, peer by ${peer.cpu.method}.`,
    'Ratios are medians of the rounds; for CPU, durations and memory less is better. Published: one Go process on another machine.',
  ];
}
