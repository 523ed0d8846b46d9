// How an exit is counted; the children themselves are in test/integration/process.

import { expect, test } from 'vitest';
import { outcomeOf } from '#process/start-child.ts';

test.each([
  [{ code: 0, signal: null, stopped: undefined }, 'ok'],
  [{ code: 1, signal: null, stopped: undefined }, 'error'],
  [{ code: 128, signal: null, stopped: undefined }, 'error'],
  [{ code: null, signal: 'SIGKILL', stopped: undefined }, 'oom'],
  [{ code: null, signal: 'SIGSEGV', stopped: undefined }, 'signal'],
  [{ code: null, signal: 'SIGTERM', stopped: 'deadline' }, 'deadline'],
  [{ code: null, signal: 'SIGKILL', stopped: 'deadline' }, 'deadline'],
  [{ code: null, signal: 'SIGTERM', stopped: 'client_gone' }, 'client_gone'],
  [{ code: 0, signal: null, stopped: 'client_gone' }, 'client_gone'],
  [{ code: null, signal: 'SIGTERM', stopped: 'shutdown' }, 'client_gone'],
] as const)('%j is %s', (exit, outcome) => {
  expect(outcomeOf(exit)).toBe(outcome);
});
