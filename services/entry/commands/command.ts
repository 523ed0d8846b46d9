// What a command is: its name, what it takes, its help, and what it does. command-list.ts has them all; help, the
// parser and docs/cli.md read nothing else, so that none of them can know more than the others.

import type { Readable } from 'node:stream';
import type { Environment } from '#kernel/config.ts';
import type { ApiClient } from '#entry/commands/api-client.ts';

/** Where text for a person goes; a stream of Node is one. */
export type Terminal = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
};

export type CommandIo = {
  readonly env: Environment;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** What relative paths of the command line are relative to. */
  readonly cwd: string;
  /** Aborted by Ctrl-C, and when nobody reads the output any more. */
  readonly signal: AbortSignal;
};

export type OptionSpec = {
  readonly name: string;
  readonly short?: string;
  /** How the value is called in the help; an option without one is a switch. */
  readonly value?: string;
  readonly isRepeatable?: boolean;
  readonly text: string;
};

export type PositionalSpec = {
  readonly name: string;
  readonly text: string;
  readonly isOptional?: boolean;
};

/** What the person has given, by the names in the declaration. */
export type Given = {
  option(name: string): string | undefined;
  options(name: string): readonly string[];
  has(name: string): boolean;
  /** Empty when an optional one is not given. */
  positional(name: string): string;
};

export type CommandCall = {
  readonly io: CommandIo;
  readonly given: Given;
  /** Finds the server and the token at its first use. @throws SERVER_UNREACHABLE */
  readonly connect: () => Promise<ApiClient>;
};

export type CommandOutcome =
  | { readonly kind: 'done' }
  /** It was understood, but did not succeed: exit code 1. */
  | { readonly kind: 'failed'; readonly sentences: readonly string[] }
  | UsageOutcome;

/** It was not understood: exit code 2. */
export type UsageOutcome = { readonly kind: 'usage'; readonly sentence: string };

export type Command = {
  /** As it is typed, `user add` with its group. */
  readonly name: string;
  readonly summary: string;
  /** Further paragraphs of the help. */
  readonly details?: readonly string[];
  readonly positionals?: readonly PositionalSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** False for a command that talks to no server. */
  readonly isClient?: boolean;
  readonly run: (call: CommandCall) => Promise<CommandOutcome>;
};

/** Commands that share their first word. */
export type CommandGroup = { readonly name: string; readonly summary: string };

export const done: CommandOutcome = { kind: 'done' };

export function failed(...sentences: readonly string[]): CommandOutcome {
  return { kind: 'failed', sentences };
}

export function usage(sentence: string): UsageOutcome {
  return { kind: 'usage', sentence };
}

export const jsonOption: OptionSpec = { name: 'json', text: 'JSON for scripts, on stdout.' };

/** Prints a value as JSON, for `--json`. */
export function printJson(io: CommandIo, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export const clientOptions: readonly OptionSpec[] = [
  {
    name: 'url',
    value: 'URL',
    text: 'The server; else WARREN_URL, else the one that runs on the data directory.',
  },
  {
    name: 'token',
    value: 'TOKEN',
    text: 'Who you are; better WARREN_TOKEN, which no process list shows.',
  },
];
export const helpOption: OptionSpec = { name: 'help', short: 'h', text: 'This text.' };

/** Every option that a command takes, those that all take included. */
export function allOptions({ options = [], isClient = true }: Command): readonly OptionSpec[] {
  return [...options, ...(isClient ? clientOptions : []), helpOption];
}
