#!/usr/bin/env node
// What `npx warren` runs. Plain JavaScript that old Nodes understand: it brings the packages and Node 24 when they are
// missing, and hands over to services/entry/warren.ts. Must stay true: arguments, streams, signals and the exit code
// pass through unchanged.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = `${root}services/entry/warren.ts`;
const installedNode = `${root}node_modules/node/bin/node`;

/** Whether packages may be missing; scripts/install-missing.mjs then looks closely. */
function isStale() {
  const installed = `${root}node_modules/.package-lock.json`;
  if (!existsSync(installed) || !existsSync(installedNode)) return true;
  return statSync(`${root}package-lock.json`).mtimeMs > statSync(installed).mtimeMs;
}

function handOver() {
  if (Number.parseInt(process.versions.node, 10) >= 24) {
    process.argv[1] = program;
    void import(program);
    return;
  }
  const child = spawn(installedNode, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C reaches both of us; a signal sent to this process alone must reach the program too.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`warren: ${installedNode} cannot be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    for (const each of signals) process.removeAllListeners(each);
    if (signal === null) process.exitCode = code ?? 1;
    else endBy(signal);
  });
}

/** Ends as the program did, so that a shell sees an interrupt as one. */
function endBy(signal) {
  process.exitCode = 128 + (constants.signals[signal] ?? 0);
  process.kill(process.pid, signal);
}

if (isStale()) {
  const script = `${root}scripts/install-missing.mjs`;
  const { status } = spawnSync(process.execPath, [script, 'production'], { stdio: 'inherit' });
  if (status === 0) handOver();
  else process.exitCode = 1;
} else {
  handOver();
}
