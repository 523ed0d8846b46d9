import { expect, test } from 'vitest';
import { chooseStyle, makePrintable, renderTable } from '#entry/commands/render-table.ts';

test('columns are as wide as their widest cell, empty cells are dashes, no line ends in spaces', () => {
  const table = renderTable(
    ['NAME', 'N', 'TEXT'],
    [
      ['a', 12, ''],
      ['long name', null, 'é'],
    ],
  );
  expect(table).toBe(
    ['NAME       N   TEXT', 'a          12  -', 'long name  -   é', ''].join('\n'),
  );
});

test('a table without rows is its headings', () => {
  expect(renderTable(['A', 'B'], [])).toBe('A  B\n');
});

test('lines are cut to the terminal when it is asked for', () => {
  const lines = renderTable(['A', 'B'], [['x'.repeat(30), 'y']], { columns: 20 }).split('\n');
  expect(lines[1]).toBe(`${'x'.repeat(19)}…`);
});

test('nothing that a terminal obeys comes through a cell', () => {
  const evil = 'a\x1b[2Jb\r\nc\u202Ed\u0007';
  expect(makePrintable(evil)).toBe('a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\u{FFFD}d\u{FFFD}');
  expect(renderTable(['A'], [[evil]]).split('\n')).toHaveLength(3);
});

test('color is for terminals only, and not when it is unwanted', () => {
  const terminal = { isTTY: true, write: () => {} };
  expect(chooseStyle(terminal, {}).heading('A')).toBe('\x1b[1mA\x1b[0m');
  expect(chooseStyle(terminal, { NO_COLOR: '' }).heading('A')).toBe('\x1b[1mA\x1b[0m');
  expect(chooseStyle(terminal, { NO_COLOR: '1' }).heading('A')).toBe('A');
  expect(chooseStyle(terminal, { TERM: 'dumb' }).heading('A')).toBe('A');
  expect(chooseStyle({ write: () => {} }, {}).heading('A')).toBe('A');
});
