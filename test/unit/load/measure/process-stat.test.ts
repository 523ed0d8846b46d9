import { describe, expect, it } from 'vitest';
import { parseProcessStat, readProcessStat, selectTree } from '#load/measure/process-stat.ts';

describe('process stat', () => {
  it('reads a command that holds spaces and parentheses', () => {
    const line =
      '42 (a (b) c) S 7 42 42 0 -1 4194560 100 0 0 0 11 5 30 20 20 0 7 0 1000 1000000 2500 18446744073709551615';
    expect(parseProcessStat(line)).toEqual({
      pid: 42,
      command: 'a (b) c',
      state: 'S',
      parentPid: 7,
      ticks: 16,
      reapedTicks: 50,
      residentPages: 2500,
    });
  });

  it.runIf(process.platform === 'linux')(
    'knows this very process, and not one that is gone',
    () => {
      expect(readProcessStat(process.pid)).toMatchObject({
        pid: process.pid,
        parentPid: process.ppid,
      });
      expect(readProcessStat(2 ** 30)).toBeUndefined();
    },
  );

  it('finds descendants of every depth and no others', () => {
    const stat = (pid: number, parentPid: number) => ({
      pid,
      parentPid,
      command: 'x',
      state: 'S',
      ticks: 0,
      reapedTicks: 0,
      residentPages: 0,
    });
    const all = [stat(1, 0), stat(5, 1), stat(6, 5), stat(7, 6), stat(8, 1)];
    expect(selectTree(all, [5]).map(({ pid }) => pid)).toEqual([5, 6, 7]);
  });
});
