// Ours and the peer alternate within one round and swap the order each round, so that what else the machine does
// falls on both alike; the ratio is the median of the rounds' own ratios.

import { median } from '#load/measure/quantile.ts';

export type Side = 'ours' | 'peer';
export type Round<T> = Readonly<Record<Side, T>>;

/** Which side goes first in the round with this number. */
export function orderOfRound(round: number): readonly [Side, Side] {
  return round % 2 === 0 ? ['ours', 'peer'] : ['peer', 'ours'];
}

/** Runs `rounds` rounds; `measure` runs once a side and round, never twice at once. */
export async function pairedRounds<T>(
  rounds: number,
  measure: (side: Side, round: number) => Promise<T>,
): Promise<Round<T>[]> {
  const results: Round<T>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = orderOfRound(round);
    const firstResult = await measure(first, round);
    const secondResult = await measure(second, round);
    results.push(
      first === 'ours'
        ? { ours: firstResult, peer: secondResult }
        : { ours: secondResult, peer: firstResult },
    );
  }
  return results;
}

export type PairedFigure = { readonly ours: number; readonly peer: number; readonly ratio: number };

/** The medians of one figure over all rounds, and of ours divided by the peer's within each round. */
export function pairedFigure<T>(
  rounds: readonly Round<T>[],
  figureOf: (result: T) => number,
): PairedFigure {
  return {
    ours: median(rounds.map(({ ours }) => figureOf(ours))),
    peer: median(rounds.map(({ peer }) => figureOf(peer))),
    ratio: median(rounds.map(({ ours, peer }) => figureOf(ours) / figureOf(peer))),
  };
}
