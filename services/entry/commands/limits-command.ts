// `warren limits`: every limit with its bound and present use, once or again and again.

import { sleep } from '#kernel/abort.ts';
import { formatBytes, formatDuration, parseDurationMs } from '#kernel/units.ts';
import type { LimitRow } from '#api/api-dependencies.ts';
import {
  type Command,
  type CommandIo,
  done,
  jsonOption,
  printJson,
  usage,
} from '#entry/commands/command.ts';
import { chooseStyle, renderTable } from '#entry/commands/render-table.ts';

const minIntervalMs = 100;

export const limitsCommand: Command = {
  name: 'limits',
  summary: 'Shows every limit with its present use.',
  details: [
    'IN USE and WAITING are of this moment, REFUSED counts since the server started; a limit of "-" is set by each repository. With --watch and --json, each reading is one line.',
  ],
  options: [
    { name: 'watch', short: 'w', text: 'Again and again, until Ctrl-C.' },
    { name: 'interval', value: 'TIME', text: 'How often with --watch; 2s when not given.' },
    jsonOption,
  ],
  examples: ['warren limits', 'warren limits --watch --interval 500ms', 'warren limits --json'],
  async run({ io, given, connect }) {
    const interval = given.option('interval');
    const intervalMs = parseDurationMs(interval ?? '2s') ?? 0;
    if (intervalMs < minIntervalMs) {
      return usage(`--interval takes a time of 100ms or more, not "${interval}".`);
    }
    const watches = given.has('watch');
    const client = await connect();
    for (let shown = 0; ; shown++) {
      const items = await client.list<LimitRow>('/limits');
      if (given.has('json')) printAsJson(io, items, watches);
      else printTable(io, items, { watches, isFirst: shown === 0 });
      if (!watches) return done;
      await sleep(intervalMs, io.signal);
    }
  },
};

function printAsJson(io: CommandIo, items: readonly LimitRow[], watches: boolean): void {
  if (watches) io.stdout.write(`${JSON.stringify({ items })}\n`);
  else printJson(io, { items });
}

function printTable(
  io: CommandIo,
  items: readonly LimitRow[],
  { watches, isFirst }: { readonly watches: boolean; readonly isFirst: boolean },
): void {
  const { columns, isTTY = false } = io.stdout;
  const redraws = watches && isTTY;
  const style = chooseStyle(io.stdout, io.env);
  const table = renderLimits(items, {
    style,
    ...(redraws && columns !== undefined && { columns }),
  });
  // Home and clear in one write with the table, so that nothing flickers.
  const before = redraws ? '\x1b[H\x1b[2J' : isFirst ? '' : '\n';
  io.stdout.write(`${before}${table}`);
}

/** The table that people see. */
export function renderLimits(
  items: readonly LimitRow[],
  options: Parameters<typeof renderTable>[2] = {},
): string {
  const rows = items.map((row) => [
    row.name,
    row.inUse,
    formatBound(row),
    row.waiting,
    row.refused,
    row.mode === 'shadow' ? 'counts only' : 'enforced',
    row.bounds,
  ]);
  const headings = ['LIMIT', 'IN USE', 'BOUND', 'WAITING', 'REFUSED', 'MODE', 'WHAT IT BOUNDS'];
  return renderTable(headings, rows, options);
}

function formatBound({ limit, unit }: LimitRow): string | null {
  if (limit === null) return null;
  if (unit === 'bytes') return formatBytes(limit);
  if (unit === 'seconds') return formatDuration(limit * 1000);
  return unit === 'slots' ? String(limit) : `${limit} ${unit}`;
}
