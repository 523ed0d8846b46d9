// Turns a report into lines: the table for people, the statements, the notes, and the JSON line that ends the output.

import type { Machine } from '#load/report/machine.ts';
import type { BenchReport, ResultRow } from '#load/report/result-row.ts';

const columns = ['name', 'ours', 'peer', 'ratio', 'unit', 'bar', 'published'] as const;

/** Three significant digits without an exponent; a dash for what does not exist. */
export function formatFigure(figure: number | null | undefined): string {
  if (figure === null || figure === undefined || !Number.isFinite(figure)) return '–';
  if (Math.abs(figure) >= 100) return figure.toFixed(0);
  return String(Number(figure.toPrecision(3)));
}

function cellsOf(row: ResultRow): string[] {
  return [
    row.name,
    formatFigure(row.ours),
    formatFigure(row.peer),
    row.ratio === null ? '–' : `${formatFigure(row.ratio)}x`,
    row.unit,
    row.bar ? `${row.bar.text} ${row.bar.met ? 'met' : 'MISSED'}` : '',
    row.published === undefined ? '' : formatFigure(row.published),
  ];
}

/** The table, one line a row, columns padded; figures stand to the right. */
export function formatTable(rows: readonly ResultRow[]): string[] {
  const table = [[...columns], ...rows.map(cellsOf)];
  const widths = columns.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)));
  const toRight = new Set([1, 2, 3, 6]);
  return table.map((cells) =>
    cells
      .map((cell, at) => (toRight.has(at) ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** The line that scripts read: the last one of the output. */
export function formatJsonLine(bench: string, machine: Machine, report: BenchReport): string {
  const results = report.rows.map(({ name, ours, peer, unit, ratio }) => ({
    name,
    ours: rounded(ours),
    peer: rounded(peer),
    unit,
    ratio: rounded(ratio),
  }));
  return JSON.stringify({ bench, machine, results });
}

function rounded(figure: number | null): number | null {
  return figure === null ? null : Number(figure.toPrecision(5));
}

/** Everything a run prints, the JSON line last. */
export function formatReport(bench: string, machine: Machine, report: BenchReport): string {
  const lines = [
    `${bench} on ${machine.cores} x ${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.kernel}, ` +
      `Node ${machine.node}, git ${machine.git}, load ${machine.loadBefore} before`,
    '',
    ...formatTable(report.rows),
  ];
  if (report.statements.length > 0) lines.push('', 'Must be true:');
  for (const { text, holds, seen } of report.statements)
    lines.push(`  ${holds ? 'yes' : 'NO '}  ${text} (${seen})`);
  if (report.notes.length > 0) lines.push('', ...report.notes);
  lines.push('', formatJsonLine(bench, machine, report));
  return lines.join('\n');
}
