// Turns the rounds of one clone case into the rows of the table.

import type { CloneCase } from '#load/benches/clone-case.ts';
import { type LoadResult, ratePerSecond } from '#load/client/outcome.ts';
import { pairedFigure, type Round } from '#load/measure/paired-rounds.ts';
import { quantile } from '#load/measure/quantile.ts';
import type { TreePeaks } from '#load/measure/tree-sampler.ts';
import { publishedFigures } from '#load/report/published.ts';
import { atLeastRatio, type ResultRow } from '#load/report/result-row.ts';

export type CloneRound = {
  readonly load: LoadResult;
  readonly cpuSeconds: number;
  readonly cpuMethod: 'cgroup' | 'proc';
  readonly peaks: TreePeaks | undefined;
};

/** Rate, p50, p90, p99, CPU a clone, and the peaks of our side. */
export function cloneRows(each: CloneCase, rounds: readonly Round<CloneRound>[]): ResultRow[] {
  const published = each.published && publishedFigures(each.published);
  const rate = pairedFigure(rounds, ({ load }) => ratePerSecond(load));
  const duration = (share: number, figure: number | undefined): ResultRow => ({
    name: `${each.name}: p${share * 100}`,
    ...pairedFigure(rounds, ({ load }) => quantile(load.durationsMs, share)),
    unit: 'ms',
    published: figure,
  });
  return [
    {
      name: `${each.name}: rate`,
      ...rate,
      unit: 'clones/s',
      bar: atLeastRatio(rate.ratio, each.leastRatio),
      published: published?.rate,
    },
    duration(0.5, published?.p50Ms),
    duration(0.9, published?.p90Ms),
    duration(0.99, published?.p99Ms),
    cpuRow(each, rounds),
    ...peakRows(each, rounds, published),
  ];
}

function cpuRow(each: CloneCase, rounds: readonly Round<CloneRound>[]): ResultRow {
  const figure = pairedFigure(
    rounds,
    ({ cpuSeconds, load }) => (cpuSeconds * 1000) / load.durationsMs.length,
  );
  const row = { name: `${each.name}: server CPU`, unit: 'CPU ms/clone' };
  // Without a control group fcgiwrap's children are counted nowhere: no figure is better than a flattering one.
  return rounds.every(({ peer }) => peer.cpuMethod === 'cgroup')
    ? { ...row, ...figure }
    : { ...row, ours: figure.ours, peer: null, ratio: null };
}

function peakRows(
  each: CloneCase,
  rounds: readonly Round<CloneRound>[],
  published: ReturnType<typeof publishedFigures> | undefined,
): ResultRow[] {
  const peak = (figureOf: (peaks: TreePeaks) => number) =>
    Math.max(...rounds.map(({ ours }) => (ours.peaks ? figureOf(ours.peaks) : 0)));
  const row = (what: string, unit: string, figure: number, founding?: number): ResultRow => ({
    name: `${each.name}: ${what}`,
    ours: figure,
    peer: null,
    ratio: null,
    unit,
    published: founding,
  });
  return [
    row(
      'peak RSS',
      'MiB',
      peak(({ rssMiB }) => rssMiB),
      published?.rssMiB,
    ),
    row(
      'peak RSS with git',
      'MiB',
      peak(({ treeRssMiB }) => treeRssMiB),
    ),
    row(
      'open files',
      'files',
      peak(({ openFiles }) => openFiles),
      published?.openFiles,
    ),
    row(
      'git children',
      'processes',
      peak(({ gitChildren }) => gitChildren),
      published?.gitChildren,
    ),
  ];
}
