import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandGroups, commands } from '#entry/commands/command-list.ts';
import { allOptions } from '#entry/commands/command.ts';
import { findCommand } from '#entry/commands/find-command.ts';
import { parseArguments } from '#entry/commands/parse-arguments.ts';
import { renderCliDocs } from '../../scripts/render-cli.ts';

test('docs/cli.md is what the commands say of themselves: otherwise run npm run gen', () => {
  expect(readFileSync('docs/cli.md', 'utf8')).toBe(renderCliDocs());
});

test('every group has commands, and every command of two words has its group', () => {
  const grouped = commands.filter(({ name }) => name.includes(' '));
  const used = new Set(grouped.map(({ name }) => name.split(' ')[0]));
  expect(used).toEqual(new Set(commandGroups.map(({ name }) => name)));
});

/** `VAR=x warren …` and `program | warren …`, as the arguments after `warren`. */
function argumentsOf(example: string): string[] {
  const text = example.replace(/\)$/, '').split('warren ').at(-1) ?? '';
  return text.split(' ');
}

test.each(commands)('$name: its examples are understood, its options are told apart', (command) => {
  expect(command.examples.length).toBeGreaterThan(0);
  for (const example of command.examples) {
    const found = findCommand(argumentsOf(example));
    if (found.kind !== 'command') throw new Error(`${example}: no command`);
    expect(found.command.name).toBe(command.name);
    expect(parseArguments(command, found.rest), example).toMatchObject({ kind: 'parsed' });
  }
  const options = allOptions(command);
  const names = options.flatMap(({ name, short = name }) =>
    short === name ? [name] : [name, short],
  );
  expect(new Set(names).size).toBe(names.length);
});

test.each(commands)('$name: its texts are sentences', ({ summary, details = [], options = [] }) => {
  const texts = [summary, ...details, ...options.map(({ text }) => text)];
  expect(texts.filter((text) => !/^[A-Z"a-z][^]*\.$/.test(text))).toEqual([]);
});
