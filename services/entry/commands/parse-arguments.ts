// The arguments after a command's name, by its declaration: values by name, or one sentence that says what is wrong.
// Pure; called by run-command-line.ts.

import { parseArgs } from 'node:util';
import { suggestName } from '#catalog/closest-name.ts';
import { allOptions, type Command, type Given, type OptionSpec } from '#entry/commands/command.ts';

export type ParsedArguments =
  | { readonly kind: 'parsed'; readonly given: Given }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly sentence: string };

/** @param args without the words of the command's name. */
export function parseArguments(command: Command, args: readonly string[]): ParsedArguments {
  const specs = allOptions(command);
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(specs.map((spec) => [spec.name, parserOption(spec)])),
    // Its own complaints name no near option, so the tokens are checked here.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const words: string[] = [];
  let problem: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = specs.find(({ name }) => name === token.name);
    if (spec?.name === 'help') return { kind: 'help' };
    problem ??= optionProblem(specs, token);
    values.set(token.name, [...(values.get(token.name) ?? []), token.value ?? '']);
  }
  problem ??= repetitionProblem(specs, values) ?? positionalProblem(command, words);
  if (problem !== undefined) return { kind: 'wrong', sentence: problem };
  return { kind: 'parsed', given: createGiven(command, values, words) };
}

function parserOption({ value, short }: OptionSpec) {
  return {
    type: value === undefined ? ('boolean' as const) : ('string' as const),
    multiple: true,
    ...(short !== undefined && { short }),
  };
}

type OptionToken = {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
};

function optionProblem(specs: readonly OptionSpec[], token: OptionToken): string | undefined {
  const { name, rawName, value, inlineValue = false } = token;
  const spec = specs.find((candidate) => candidate.name === name);
  if (spec === undefined) {
    const known = specs.map((each) => `--${each.name}`);
    return `"${rawName}" is no option here${suggestName(rawName, known) || '.'}`;
  }
  if (spec.value === undefined) {
    return value === undefined ? undefined : `${rawName} takes no value.`;
  }
  // `--name --json` has forgotten a value; `--name=--json` means it, and `-` stands for stdin.
  const isForgotten = !inlineValue && value !== undefined && /^-./.test(value);
  if (value === undefined || isForgotten) return `${rawName} needs a value: ${spec.value}.`;
  return value === '' ? `${rawName} needs a value that is not empty.` : undefined;
}

function repetitionProblem(
  specs: readonly OptionSpec[],
  values: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const twice = specs.find(
    ({ name, value, isRepeatable = false }) =>
      value !== undefined && !isRepeatable && (values.get(name)?.length ?? 0) > 1,
  );
  return twice === undefined ? undefined : `--${twice.name} is given twice.`;
}

function positionalProblem(
  { positionals = [] }: Command,
  words: readonly string[],
): string | undefined {
  const missing = positionals.slice(words.length).find(({ isOptional = false }) => !isOptional);
  if (missing !== undefined) return `${missing.name} is missing: ${missing.text}`;
  const extra = words[positionals.length];
  return extra === undefined ? undefined : `"${extra}" is one argument too many.`;
}

function createGiven(
  { positionals = [] }: Command,
  values: ReadonlyMap<string, readonly string[]>,
  words: readonly string[],
): Given {
  return {
    option: (name) => values.get(name)?.at(-1),
    options: (name) => values.get(name) ?? [],
    has: (name) => values.has(name),
    positional: (name) => words[positionals.findIndex((each) => each.name === name)] ?? '',
  };
}
