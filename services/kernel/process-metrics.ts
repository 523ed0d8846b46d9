// Memory, CPU, open files and event loop of this process. prom-client's own default set is not used:
// its gc observer costs up to 10 ms a collection and cannot be left out.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { readdirSync } from 'node:fs';
import { Gauge, type Registry } from '#kernel/metrics.ts';

/** Registers the process metrics; dispose to stop the event-loop sampler. */
export function registerProcessMetrics(registry: Registry): Disposable {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const gauges: readonly [name: string, help: string, read: () => number][] = [
    ['process_resident_memory_bytes', 'Resident memory of the process', readRss],
    ['process_cpu_seconds_total', 'CPU time of the process, without children', readCpuSeconds],
    ['process_open_fds', 'Open file descriptors (Linux)', countOpenFiles],
    ['process_start_time_seconds', 'Start of the process since the epoch', readStartSeconds],
    ['nodejs_heap_size_used_bytes', 'Used JavaScript heap', () => process.memoryUsage().heapUsed],
    ['nodejs_eventloop_lag_p99_seconds', 'Event-loop delay since the last scrape', readLag],
  ];
  function readLag(): number {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return Number.isFinite(seconds) ? seconds : 0;
  }
  for (const [name, help, read] of gauges) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => gauge.set(read()),
    });
  }
  return { [Symbol.dispose]: () => delay.disable() };
}

function readRss(): number {
  return process.memoryUsage.rss();
}

function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function readStartSeconds(): number {
  return performance.timeOrigin / 1000;
}

function countOpenFiles(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
}
