// The Context of a test: its own signal to abort, and a log whose lines can be looked at.

import type { Context } from '#kernel/context.ts';
import { createLog } from '#kernel/log.ts';

export type TestContext = Context & {
  abort(reason?: unknown): void;
  /** Lines logged so far, as JSON text. */
  readonly lines: readonly string[];
};

export function createTestContext(): TestContext {
  const controller = new AbortController();
  const lines: string[] = [];
  return {
    signal: controller.signal,
    log: createLog((line) => lines.push(line), 'debug'),
    abort: (reason = new Error('the test aborts')) => controller.abort(reason),
    lines,
  };
}
