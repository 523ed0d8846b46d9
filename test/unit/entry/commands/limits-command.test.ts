import { expect, test } from 'vitest';
import { renderLimits } from '#entry/commands/limits-command.ts';

const base = { inUse: null, waiting: null, refused: 0, mode: 'enforce' } as const;

test('each limit is told in its own unit', () => {
  const table = renderLimits([
    { ...base, name: 'a', bounds: 'clones', unit: 'slots', limit: 16, inUse: 3, waiting: 1 },
    { ...base, name: 'b', bounds: 'a push', unit: 'bytes', limit: 8 * 2 ** 20, refused: 2 },
    { ...base, name: 'c', bounds: 'a clone', unit: 'seconds', limit: 600 },
    { ...base, name: 'd', bounds: 'writes', unit: 'per second', limit: 50, mode: 'shadow' },
    { ...base, name: 'e', bounds: 'as it says', unit: 'slots', limit: null },
  ]);
  const cells = table.split('\n').map((line) => line.split(/ {2,}/));
  expect(cells.slice(1, -1)).toEqual([
    ['a', '3', '16', '1', '0', 'enforced', 'clones'],
    ['b', '-', '8 MiB', '-', '2', 'enforced', 'a push'],
    ['c', '-', '10 min', '-', '0', 'enforced', 'a clone'],
    ['d', '-', '50 per second', '-', '0', 'counts only', 'writes'],
    ['e', '-', '-', '-', '0', 'enforced', 'as it says'],
  ]);
});
