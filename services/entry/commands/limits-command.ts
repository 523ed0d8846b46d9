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
    for (;;) {
      const items = await client.list<LimitRow>('/limits');
      print(io, items, { isJson: given.has('json'), watches });
      if (!watches) return done;
      await sleep(intervalMs, io.signal);
    }
  },
};

function print(
  io: CommandIo,
  items: readonly LimitRow[],
  { isJson, watches }: { readonly isJson: boolean; readonly watches: boolean },
): void {
  if (isJson) {
    if (watches) io.stdout.write(`${JSON.stringify({ items })}\n`);
    else printJson(io, { items });
    return;
  }
  // Home and clear, in one write with the table, so that nothing flickers.
  const before = watches ? (io.stdout.isTTY === true ? '\x1b[H\x1b[2J' : '\n') : '';
  const { columns } = io.stdout;
  const cut = watches && io.stdout.isTTY === true && columns !== undefined ? { columns } : {};
  const style = chooseStyle(io.stdout, io.env);
  io.stdout.write(`${before}${renderLimits(items, { ...cut, style })}`);
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
