// The monitor counts each child once: running while it runs, then by outcome.

import { expect, test } from 'vitest';
import { createRegistry } from '#kernel/metrics.ts';
import { createProcessMetrics } from '#process/metrics.ts';
import { parseMetrics } from '#support/metrics-scrape.ts';

test('a child is running, then ended', async () => {
  const registry = createRegistry();
  const monitor = createProcessMetrics(registry);
  const scrape = async () => parseMetrics(await registry.metrics());
  const command = 'upload-pack';
  monitor.started(command);
  monitor.started(command);
  monitor.ended(command, 'client_gone', 0.2);
  const during = await scrape();
  expect(during.value('warren_git_processes', { command })).toBe(1);
  monitor.ended(command, 'ok', 2);
  const after = await scrape();
  expect(after.value('warren_git_processes', { command })).toBe(0);
  expect(after.value('warren_git_process_exits_total', { command, outcome: 'client_gone' })).toBe(
    1,
  );
  expect(after.value('warren_git_process_duration_seconds_count', { command })).toBe(2);
  expect(after.value('warren_git_process_duration_seconds_sum', { command })).toBeCloseTo(2.2);
});
