import { describe, expect, it } from 'vitest';
import { pairedFigure, pairedRounds } from '#load/measure/paired-rounds.ts';

describe('paired rounds', () => {
  it('alternate the sides and swap their order each round', async () => {
    const order: string[] = [];
    const rounds = await pairedRounds(3, (side, round) => {
      order.push(`${round}${side}`);
      return Promise.resolve(side);
    });
    expect(order).toEqual(['0ours', '0peer', '1peer', '1ours', '2ours', '2peer']);
    expect(rounds).toEqual(Array.from({ length: 3 }, () => ({ ours: 'ours', peer: 'peer' })));
  });

  it('take the ratio within each round before its median', () => {
    const rounds = [
      { ours: 20, peer: 10 },
      { ours: 2, peer: 1 },
      { ours: 30, peer: 60 },
    ];
    expect(pairedFigure(rounds, (figure) => figure)).toEqual({ ours: 20, peer: 10, ratio: 2 });
  });
});
