#!/usr/bin/env node
// The program `warren`: hands arguments, streams and signals to the command line. `npm start` runs it directly, and
// bin/warren.mjs brings the right Node for npx. Must stay true: it ends by itself when nothing is left to do.

import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ForgeError } from '#kernel/forge-error.ts';
import { runCommandLine } from '#entry/commands/run-command-line.ts';

// What is imported from here on (the server, the commands) is compiled once a version: less time, less memory.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/warren', import.meta.url)));

const { stdout, stderr, stdin, env } = process;
const args = process.argv.slice(2);
const controller = new AbortController();

for (const stream of [stdout, stderr]) {
  // The reader has gone, as `head` does: what is left to say has nobody to hear it.
  stream.on('error', () => controller.abort(new ForgeError('CANCELLED')));
}

let interruptedBy: NodeJS.Signals | undefined;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function interrupt(signal: NodeJS.Signals): void {
  interruptedBy = signal;
  controller.abort(new ForgeError('CANCELLED'));
  // A second one ends the program whatever it is doing.
  stopListening();
}

function stopListening(): void {
  for (const signal of signals) process.off(signal, interrupt);
}

// A server has listeners of its own, which drain it.
if (args[0] !== 'serve') for (const signal of signals) process.on(signal, interrupt);
const io = { env, stdin, stdout, stderr, cwd: process.cwd(), signal: controller.signal };
process.exitCode = await runCommandLine(args, io);
stopListening();
// Ends by the signal, as if it had never been caught: a shell that runs a loop of commands then stops its loop.
if (interruptedBy !== undefined) process.kill(process.pid, interruptedBy);
