// Specs for the one-screen programs in test/support/children, and a monitor that writes down what it is told.

import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildChildEnvironment } from '#process/child-environment.ts';
import type { ProcessMonitor } from '#process/process-monitor.ts';
import type { ChildSpec } from '#process/start-child.ts';

export type ChildProgram =
  | 'escape-group'
  | 'fail-late'
  | 'flood-stderr'
  | 'flood-stdout'
  | 'ignore-term'
  | 'leave-grandchild'
  | 'with-grandchild';

export type RecordingMonitor = ProcessMonitor & { readonly events: readonly string[] };

/** Events read `started other`, `ended other ok`, `defunct`. */
export function createRecordingMonitor(): RecordingMonitor {
  const events: string[] = [];
  return {
    events,
    started: (command) => void events.push(`started ${command}`),
    ended: (command, outcome) => void events.push(`ended ${command} ${outcome}`),
    defunct: () => void events.push('defunct'),
  };
}

export function buildChildSpec(
  program: ChildProgram,
  monitor: ProcessMonitor,
  args: readonly string[] = [],
): ChildSpec {
  const file = fileURLToPath(new URL(`children/${program}.mjs`, import.meta.url));
  return {
    program: process.execPath,
    args: [file, ...args],
    cwd: tmpdir(),
    env: buildChildEnvironment(process.env),
    label: 'other',
    monitor,
  };
}
