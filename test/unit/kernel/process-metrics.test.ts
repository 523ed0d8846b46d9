// The process metrics show values of this very process.

import { expect, test } from 'vitest';
import { createRegistry } from '#kernel/metrics.ts';
import { registerProcessMetrics } from '#kernel/process-metrics.ts';
import { parseMetrics } from '#support/metrics-scrape.ts';

test('a scrape reads memory, CPU, files and event loop', async () => {
  const registry = createRegistry();
  using _ = registerProcessMetrics(registry);
  const metrics = parseMetrics(await registry.metrics());
  expect(metrics.value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(metrics.value('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(metrics.value('process_open_fds')).toBeGreaterThan(3);
  expect(metrics.value('nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
  expect(metrics.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  expect((metrics.value('process_start_time_seconds') ?? 0) * 1000).toBeLessThan(Date.now());
});
