// From the arguments to the exit code: finds the command, parses, runs, and turns everything that can go wrong into
// sentences on stderr. Called by warren.ts. Must stay true: 0 done, 1 failed, 2 not understood; no token in any output.

import { type ForgeError, isForgeError } from '#kernel/forge-error.ts';
import { redact } from '#kernel/log.ts';
import { createApiClient } from '#entry/commands/api-client.ts';
import { commands } from '#entry/commands/command-list.ts';
import type { Command, CommandIo, CommandOutcome, Given } from '#entry/commands/command.ts';
import { findCommand } from '#entry/commands/find-command.ts';
import { findServer } from '#entry/commands/find-server.ts';
import { parseArguments } from '#entry/commands/parse-arguments.ts';
import { renderCommandHelp, renderUsage } from '#entry/commands/render-help.ts';

/** @returns the exit code; it never throws. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    const found = findCommand(args);
    if (found.kind === 'text') {
      io.stdout.write(found.text);
      return 0;
    }
    if (found.kind === 'wrong') {
      return report(io, found.near, { kind: 'usage', sentence: found.sentence });
    }
    const { command } = found;
    const parsed = parseArguments(command, found.rest);
    if (parsed.kind === 'help') {
      io.stdout.write(renderCommandHelp(command));
      return 0;
    }
    const { name } = command;
    if (parsed.kind === 'wrong') {
      return report(io, name, { kind: 'usage', sentence: parsed.sentence });
    }
    return report(io, name, await run(command, parsed.given, io));
  } catch (error) {
    return reportError(io, error);
  }
}

function run(command: Command, given: Given, io: CommandIo): Promise<CommandOutcome> {
  return command.run({
    io,
    given,
    async connect() {
      const { env, cwd, signal } = io;
      const [url, token] = [given.option('url'), given.option('token')];
      return createApiClient(await findServer({ env, cwd, url, token }), signal);
    },
  });
}

function report(io: CommandIo, name: string, outcome: CommandOutcome): number {
  if (outcome.kind === 'done') return 0;
  if (outcome.kind === 'failed') {
    for (const sentence of outcome.sentences) complain(io, sentence);
    return 1;
  }
  complain(io, outcome.sentence);
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) io.stderr.write(`Usage: ${renderUsage(command)}\n`);
  io.stderr.write(`See: ${['warren', name, '--help'].filter((word) => word !== '').join(' ')}\n`);
  return 2;
}

function reportError(io: CommandIo, error: unknown): number {
  // Interrupted, or nobody reads any more: there is nothing to say, and no failure.
  if (isForgeError(error, 'CANCELLED') && io.signal.aborted) return 0;
  if (isForgeError(error)) {
    for (const sentence of sentencesOf(error)) complain(io, sentence);
    return 1;
  }
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
  complain(io, `this is a mistake in the program, please report it:\n${said}`);
  return 1;
}

function sentencesOf({ details, message }: ForgeError): readonly string[] {
  const { problems, sentence } = details;
  if (Array.isArray(problems)) return problems;
  return [typeof sentence === 'string' ? sentence : message];
}

function complain(io: CommandIo, sentence: string): void {
  io.stderr.write(`warren: ${String(redact(sentence))}\n`);
}
