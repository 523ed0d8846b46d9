import { describe, expect, it } from 'vitest';
import { formatFigure, formatReport, formatTable } from '#load/report/print-report.ts';
import { atLeastRatio } from '#load/report/result-row.ts';

const machine = {
  cpu: 'a cpu',
  cores: 2,
  memoryGiB: 8,
  kernel: 'Linux 6.1',
  node: '24.0.0',
  git: '2.47.0',
  loadBefore: 0.1,
};
const row = {
  name: 'raw small: rate',
  ours: 200.4,
  peer: 100,
  unit: 'clones/s',
  ratio: 2.004,
  bar: atLeastRatio(2.004, 1.3),
  published: 69.8,
};

describe('the report of a bench', () => {
  it('pads its columns and marks bars', () => {
    expect(
      formatTable([row, { ...row, peer: null, ratio: null, bar: atLeastRatio(1, 1.3) }]),
    ).toEqual([
      'name             ours  peer  ratio  unit      bar             published',
      'raw small: rate   200   100     2x  clones/s  >= 1.3x met          69.8',
      'raw small: rate   200     –      –  clones/s  >= 1.3x MISSED       69.8',
    ]);
  });

  it('ends with one JSON line of exactly the contract', () => {
    const lines = formatReport('clone', machine, { rows: [row], statements: [], notes: [] }).split(
      '\n',
    );
    expect(JSON.parse(lines.at(-1)!)).toEqual({
      bench: 'clone',
      machine,
      results: [{ name: row.name, ours: 200.4, peer: 100, unit: 'clones/s', ratio: 2.004 }],
    });
  });

  it('says which statement is false and what was seen', () => {
    const statements = [{ text: 'never more than 16', holds: false, seen: '17' }];
    expect(formatReport('limit', machine, { rows: [], statements, notes: [] })).toContain(
      'NO   never more than 16 (17)',
    );
  });

  it('never shows a missing figure as a number', () => {
    expect([null, undefined, Number.NaN, Number.POSITIVE_INFINITY].map(formatFigure)).toEqual([
      '–',
      '–',
      '–',
      '–',
    ]);
    expect([1234.5, 12.345, 0.012345].map(formatFigure)).toEqual(['1235', '12.3', '0.0123']);
  });
});
