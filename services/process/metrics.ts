// Metrics of child processes; entry registers them and passes the monitor down.

import {
  Counter,
  durationBucketsSeconds,
  Gauge,
  Histogram,
  type Registry,
} from '#kernel/metrics.ts';
import type { ProcessMonitor } from '#process/process-monitor.ts';

/** A monitor that counts into the registry. */
export function createProcessMetrics(registry: Registry): ProcessMonitor {
  const registers = [registry];
  const running = new Gauge({
    name: 'warren_git_processes',
    help: 'Children running now',
    labelNames: ['command'],
    registers,
  });
  const durations = new Histogram({
    name: 'warren_git_process_duration_seconds',
    help: 'From start to the end of the group',
    labelNames: ['command'],
    buckets: durationBucketsSeconds,
    registers,
  });
  const exits = new Counter({
    name: 'warren_git_process_exits_total',
    help: 'Ended children by outcome',
    labelNames: ['command', 'outcome'],
    registers,
  });
  const defunct = new Counter({
    name: 'warren_git_defunct_processes_total',
    help: 'Groups that were still there after SIGKILL',
    registers,
  });
  return {
    started: (command) => running.inc({ command }),
    ended(command, outcome, durationSeconds) {
      running.dec({ command });
      durations.observe({ command }, durationSeconds);
      exits.inc({ command, outcome });
    },
    defunct: () => defunct.inc(),
  };
}
