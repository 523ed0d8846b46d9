// `npm test`: types, lint, layers, format and all tests, in about the time two cores need for them.
// Usage: node scripts/test.mjs [--verbose] [vitest arguments]; with arguments (a filter such as `transport`,
// or `-t name`) only the tests they choose run. A step's output is shown when it fails, or with --verbose.
// Ends with the line `N passed, N failed`: tests of Vitest, and each failed check as one failure.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules/.bin');
const verbose = process.argv.includes('--verbose');
const chosen = process.argv.slice(2).filter((arg) => arg !== '--verbose');
const results = mkdtempSync(join(tmpdir(), 'warren-results-'));

/** @typedef {{ name: string, command: string[], report?: string }} Step */

/** @returns {Step} */
function check(name, ...command) {
  return { name, command };
}

/** @returns {Step} */
function tests(name, ...args) {
  const report = join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return { name, command: ['vitest', 'run', ...args, ...reporters], report };
}

// Checks use what the unit tests leave of two cores; integration tests, which watch the time, have them alone.
// The project `clients` installs programs before it runs: only who names a project can mean it.
const anyProject = chosen.some((arg) => arg.startsWith('--project')) ? [] : ['--project=!clients'];
const phases =
  chosen.length > 0
    ? [[tests('tests', ...chosen, ...anyProject)]]
    : [
        [
          tests('unit', '--project', 'unit'),
          check('types', 'tsc', '--noEmit'),
          check('lint', 'oxlint', '--type-aware', '--deny-warnings'),
          check('layers', 'npm', 'run', '--silent', 'check:layers'),
          check('format', 'npm', 'run', '--silent', 'check:format'),
        ],
        [tests('integration', '--project', 'integration', '--passWithNoTests')],
      ];

const running = new Set();
let interrupted = false;

/** Runs the program in a group of its own, so that an interrupt ends all of it. */
function run(command) {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // Vitest and all it starts run on the installed Node, whichever Node runs this file.
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      ...(verbose && process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
    },
  });
  running.add(child);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (verbose ? process.stdout.write(chunk) : output.push(chunk)));
  }
  return new Promise((resolve) => {
    child.once('error', (error) => {
      running.delete(child);
      resolve({ ok: false, output: `${program} could not be started: ${error.message}\n` });
    });
    child.once('close', (code) => {
      running.delete(child);
      resolve({ ok: code === 0, output: Buffer.concat(output).toString() });
    });
  });
}

/** Tests counted by Vitest's own report; a run that failed without a failed test counts as one failure. */
function count(step, ok) {
  if (step.report === undefined) return { passed: 0, failed: ok ? 0 : 1, skipped: 0 };
  let report = {};
  try {
    report = JSON.parse(readFileSync(step.report, 'utf8'));
  } catch {
    // Vitest ended before it wrote one.
  }
  const { numPassedTests: passed = 0, numFailedTests = 0, numPendingTests: skipped = 0 } = report;
  return { passed, failed: numFailedTests === 0 && !ok ? 1 : numFailedTests, skipped };
}

function describe(step, { passed, failed, skipped }) {
  if (step.report === undefined) return '';
  const parts = [`${passed} passed`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  return `  ${parts.join(', ')}`;
}

async function runStep(step) {
  if (interrupted) return { passed: 0, failed: 0 };
  const startedAt = performance.now();
  const { ok, output } = await run(step.command);
  if (interrupted) return { passed: 0, failed: 0 };
  const counts = count(step, ok);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${ok ? 'ok    ' : 'FAILED'} ${step.name.padEnd(12)} ${seconds.padStart(5)} s${describe(step, counts)}`,
  );
  if (!ok) process.stdout.write(`${output.trimEnd()}\n`);
  return counts;
}

/** Runs the steps in their order, two at a time. */
async function runPhase(steps) {
  const waiting = [...steps];
  const done = [];
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      done.push(await runStep(step));
    }
  };
  await Promise.all([lane(), lane()]);
  return done;
}

function endChildren(signal) {
  for (const child of running) {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (interrupted) endChildren('SIGKILL');
    interrupted = true;
    endChildren('SIGTERM');
    setTimeout(() => endChildren('SIGKILL'), 10_000).unref();
  });
}

let passed = 0;
let failed = 0;
for (const steps of phases) {
  for (const counts of await runPhase(steps)) {
    passed += counts.passed;
    failed += counts.failed;
  }
}
rmSync(results, { recursive: true, force: true });
if (interrupted) {
  console.log('interrupted');
  process.exitCode = 130;
} else {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
