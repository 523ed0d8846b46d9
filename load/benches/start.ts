// Bench `start`: seconds from `npm start` to the ready line, with an empty data directory and with one that is there,
// and the memory of the idle all-in-one process. There is no peer: the bar stands in its place.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchScope } from '#load/bench-scope.ts';
import { type OneStart, startOnce } from '#load/benches/start-once.ts';
import { median } from '#load/measure/quantile.ts';
import { below, type BenchReport, type ResultRow } from '#load/report/result-row.ts';
import { copyCheckout } from '#load/server/checkout-copy.ts';

const starts = 5;
const idleMs = 5_000;

/** First and later starts alternate, so that what else the machine does falls on both. */
export async function benchStart(scope: BenchScope): Promise<BenchReport> {
  const checkoutDir = join(scope.dir, 'checkout');
  await copyCheckout(checkoutDir);
  const first: OneStart[] = [];
  const later: OneStart[] = [];
  const idle: OneStart[] = [];
  const catalogDir = join(checkoutDir, 'catalog');
  for (let at = 0; at < starts; at += 1) {
    scope.say(`start ${at + 1} of ${starts}, first and later`);
    const dataDir = join(scope.dir, `data-${at}`);
    // The sample repository of a first start is part of it.
    await rm(catalogDir, { recursive: true, force: true });
    first.push(await startOnce(scope, { checkoutDir, dataDir }));
    const withIdle = at === 0 || !scope.quick ? { idleMs } : {};
    later.push(await startOnce(scope, { checkoutDir, dataDir, ...withIdle }));
    if (at === 0 || !scope.quick) idle.push(later.at(-1)!);
  }
  const firstS = median(first.map(({ readyMs }) => readyMs / 1000));
  const laterS = median(later.map(({ readyMs }) => readyMs / 1000));
  const rssMiB = median(idle.map(({ idleRssMiB }) => idleRssMiB ?? Number.NaN));
  const rssMB = (rssMiB * 2 ** 20) / 1e6;
  const all = [...first, ...later];
  const row = (name: string, ours: number, unit: string, most: number): ResultRow => {
    return { name, ours, peer: null, unit, ratio: null, bar: below(ours, most, unit) };
  };
  return {
    rows: [
      row('npm start to ready, first', firstS, 's', 3),
      row('npm start to ready, later', laterS, 's', 2),
      row('idle RSS, 5 s after ready', rssMB, 'MB', 150),
      row('TERM to exit', median(all.map(({ stopMs }) => stopMs / 1000)), 's', 5),
    ],
    statements: [
      {
        text: 'TERM to npm ends every start with exit code 0',
        holds: all.every(({ exitCode }) => exitCode === 0),
        seen: `exit codes ${all.map(({ exitCode }) => exitCode ?? 'none').join(' ')}`,
      },
      {
        text: 'no process outlives its start',
        holds: all.every(({ survivors }) => survivors === 0),
        seen: `${all.reduce((sum, { survivors }) => sum + survivors, 0)} left`,
      },
    ],
    notes: [
      `Medians of ${starts} starts each, in a copy of the checkout with the packages installed, no terminal; npm's own time included.`,
      'Postgres is no part of the figure: it is a process of its own.',
    ],
  };
}
