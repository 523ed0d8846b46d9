// Tables and other text on a terminal. Pure. Must stay true: nothing that came from a server or a person reaches the
// terminal with control characters in it, which could move the cursor or hide what was printed.

import type { Environment } from '#kernel/config.ts';
import type { Terminal } from '#entry/commands/command.ts';

export type TableRow = readonly (string | number | null)[];

export type TableOptions = {
  /** The last column is cut to this width; nothing is cut without it. */
  readonly columns?: number;
  readonly style?: Style;
};

export type Style = { readonly heading: (text: string) => string };

const plain: Style = { heading: (text) => text };

/** Color only for a person who has not asked for none (no-color.org). */
export function chooseStyle(terminal: Terminal, env: Environment): Style {
  const { NO_COLOR, TERM } = env;
  if (terminal.isTTY !== true || (NO_COLOR ?? '') !== '' || TERM === 'dumb') return plain;
  return { heading: (text) => `\x1b[1m${text}\x1b[0m` };
}

/** Columns as wide as their widest cell, two spaces between; empty cells are `-`. */
export function renderTable(
  headings: readonly string[],
  rows: readonly TableRow[],
  { columns, style = plain }: TableOptions = {},
): string {
  const cells = rows.map((row) => row.map(renderCell));
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...cells.map((row) => widthOf(row[at] ?? ''))),
  );
  const layOut = (row: readonly string[]) => {
    const line = row
      .map((cell, at) => `${cell}${' '.repeat((widths[at] ?? 0) - widthOf(cell))}`)
      .join('  ')
      .trimEnd();
    return columns === undefined ? line : cut(line, columns);
  };
  const lines = [style.heading(layOut(headings)), ...cells.map((row) => layOut(row))];
  return `${lines.join('\n')}\n`;
}

/** The text without what a terminal would obey. */
export function makePrintable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{FFFD}');
}

function renderCell(value: string | number | null): string {
  return value === null || value === '' ? '-' : makePrintable(String(value));
}

/** Characters, which is right for all but the double-width ones. */
function widthOf(text: string): number {
  return Array.from(text).length;
}

function cut(line: string, columns: number): string {
  const characters = Array.from(line);
  if (columns < 20 || characters.length <= columns) return line;
  return `${characters.slice(0, columns - 1).join('')}…`;
}
