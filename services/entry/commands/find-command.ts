// The command that the first words of the command line name, or the help they ask for. Called by run-command-line.ts.

import { readFileSync } from 'node:fs';
import { suggestName } from '#catalog/closest-name.ts';
import type { Command, CommandGroup } from '#entry/commands/command.ts';
import { commandGroups, commands } from '#entry/commands/command-list.ts';
import { renderGroupHelp, renderOverview } from '#entry/commands/render-help.ts';

export type FoundCommand =
  | { readonly kind: 'command'; readonly command: Command; readonly rest: readonly string[] }
  | { readonly kind: 'text'; readonly text: string }
  /** `near` is the command or group that was understood, for a hint; empty when none was. */
  | { readonly kind: 'wrong'; readonly sentence: string; readonly near: string };

const helpWords: ReadonlySet<string> = new Set(['', 'help', '--help', '-h']);

/** `help` before the words of a command does the same as `--help` after them. */
export function findCommand(args: readonly string[]): FoundCommand {
  const [first = '', ...rest] = args;
  if (first === 'help' && rest.length > 0) return findCommand([...rest, '--help']);
  if (helpWords.has(first)) return { kind: 'text', text: renderOverview(commands, commandGroups) };
  if (first === '--version') return { kind: 'text', text: `${readVersion()}\n` };
  const single = commands.find(({ name }) => name === first);
  if (single !== undefined) return { kind: 'command', command: single, rest };
  const group = commandGroups.find(({ name }) => name === first);
  return group === undefined ? { kind: 'wrong', near: '', ...missing(first) } : findIn(group, rest);
}

function findIn(group: CommandGroup, args: readonly string[]): FoundCommand {
  const [second = '', ...rest] = args;
  const members = commands.filter(({ name }) => name.startsWith(`${group.name} `));
  const member = members.find(({ name }) => name === `${group.name} ${second}`);
  if (member !== undefined) return { kind: 'command', command: member, rest };
  if (helpWords.has(second)) return { kind: 'text', text: renderGroupHelp(group, members) };
  const words = members.map(({ name }) => name.slice(group.name.length + 1));
  const hint = suggestName(second, words) || `; there are ${words.join(', ')}.`;
  const sentence = `There is no command "${group.name} ${second}"${hint}`;
  return { kind: 'wrong', near: group.name, sentence };
}

function missing(word: string): { readonly sentence: string } {
  if (word.startsWith('-')) return { sentence: `"${word}" comes after the command's name.` };
  const known = [...commands, ...commandGroups]
    .map(({ name }) => name)
    .filter((name) => !name.includes(' '));
  return { sentence: `There is no command "${word}"${suggestName(word, known) || '.'}` };
}

function readVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }; // Ours.
  return version;
}
