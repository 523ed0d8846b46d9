#!/usr/bin/env node
// `npm run bench -- NAME [--quick]`: runs one bench, prints its table for people and, last, one JSON line for scripts.
// Exit codes: 0 measured and every statement true, 1 a statement is false or the bench failed, 2 wrong usage, 130 interrupted.

import { parseArgs } from 'node:util';
import { type Bench, benches } from '#load/bench-catalogue.ts';
import { openScope } from '#load/bench-scope.ts';
import { describeMachine } from '#load/report/machine.ts';
import { formatReport } from '#load/report/print-report.ts';

function usage(): string {
  const names = [...benches].map(([name, { question }]) => `  ${name.padEnd(8)} ${question}`);
  return [
    'npm run bench -- NAME [--quick]',
    '',
    ...names,
    '',
    '--quick takes less than 40 s and is rough.',
  ].join('\n');
}

async function runBench(name: string, bench: Bench, quick: boolean): Promise<number> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interrupt.abort(new Error(`stopped by ${signal}`)));
  const machine = describeMachine();
  const { scope, close } = await openScope(quick, interrupt.signal);
  try {
    const report = await bench.run(scope);
    interrupt.signal.throwIfAborted();
    console.log(formatReport(name, machine, report));
    return report.statements.every(({ holds }) => holds) ? 0 : 1;
  } catch (error) {
    console.error(interrupt.signal.aborted ? String(interrupt.signal.reason) : error);
    return interrupt.signal.aborted ? 130 : 1;
  } finally {
    await close();
  }
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    console.log(usage());
    return 0;
  }
  const [name = ''] = positionals;
  const bench = benches.get(name);
  if (!bench || positionals.length > 1) {
    const complaint =
      name === '' ? 'Which bench?' : `There is no bench "${positionals.join(' ')}".`;
    console.error(`${complaint}\n\n${usage()}`);
    return 2;
  }
  return runBench(name, bench, values.quick);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
