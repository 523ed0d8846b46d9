// The help texts, from the declarations of the commands. Pure; docs/cli.md holds the same texts.

import {
  allOptions,
  type Command,
  type CommandGroup,
  type OptionSpec,
} from '#entry/commands/command.ts';

const width = 100;

/** The first screen: every command with a line. */
export function renderOverview(
  commands: readonly Command[],
  groups: readonly CommandGroup[],
): string {
  const single = commands.filter(({ name }) => !name.includes(' '));
  const rows = [...single, ...groups].map(({ name, summary }) => [name, summary] as const);
  return [
    'Warren, a Git forge: one program that serves, and the commands that talk to it.',
    '',
    'Usage: warren COMMAND [ARGUMENTS]',
    '',
    'Commands:',
    ...renderColumns(rows),
    '',
    'Options:',
    ...renderColumns([
      ['-h, --help', 'This text; after a command, the help of that command.'],
      ['    --version', 'The version of the program.'],
    ]),
    '',
    'Examples:',
    '  warren serve',
    '  warren import https://example.org/some/project.git team/project',
    '  warren get repositories',
    '',
    'Exit codes: 0 done, 1 it failed, 2 the command line was not understood.',
    '',
  ].join('\n');
}

/** The help of `warren user` and the like. */
export function renderGroupHelp(
  { name, summary }: CommandGroup,
  commands: readonly Command[],
): string {
  return [
    summary,
    '',
    `Usage: warren ${name} COMMAND [ARGUMENTS]`,
    '',
    'Commands:',
    ...renderColumns(commands.map((each) => [each.name, each.summary] as const)),
    '',
    'Examples:',
    ...commands.flatMap(({ examples }) => examples.slice(0, 1).map((line) => `  ${line}`)),
    '',
  ].join('\n');
}

export function renderCommandHelp(command: Command): string {
  const { positionals = [], details = [], examples, summary } = command;
  const options = allOptions(command).toSorted((a, b) => order(a) - order(b));
  return [
    summary,
    ...details.flatMap((paragraph) => ['', ...wrap(paragraph, width)]),
    '',
    `Usage: ${renderUsage(command)}`,
    ...(positionals.length === 0
      ? []
      : ['', 'Arguments:', ...renderColumns(positionals.map(({ name, text }) => [name, text]))]),
    '',
    'Options:',
    ...renderColumns(options.map((option) => [renderOption(option), option.text])),
    '',
    'Examples:',
    ...examples.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** One line: `warren user add NAME [OPTIONS]`. */
export function renderUsage({ name, positionals = [] }: Command): string {
  const words = positionals.map(({ name: word, isOptional = false }) =>
    isOptional ? `[${word}]` : word,
  );
  return ['warren', name, ...words, '[OPTIONS]'].join(' ');
}

function order({ name }: OptionSpec): number {
  return name === 'help' ? 1 : 0;
}

function renderOption({ name, short, value }: OptionSpec): string {
  const left = short === undefined ? '    ' : `-${short}, `;
  return `${left}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function renderColumns(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, text]) =>
    wrap(text, width - left).map((line, index) =>
      index === 0 ? `  ${name.padEnd(left - 2)}${line}` : `${' '.repeat(left)}${line}`,
    ),
  );
}

function wrap(text: string, columns: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
