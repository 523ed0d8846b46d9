// The metrics of all limits, from their declarations. Every series a limit can produce exists from the start.
// Gauges are read from the limits at scrape time, so that they cannot drift from what is enforced.

import type { Clock } from '#kernel/clock.ts';
import {
  Counter,
  durationBucketsSeconds,
  Gauge,
  Histogram,
  type Registry,
} from '#kernel/metrics.ts';
import type { ConcurrencyLimit } from '#admission/concurrency-limit.ts';
import type { DeclaredLimit } from '#admission/define-limit.ts';
import type { Gate } from '#admission/gate.ts';
import type { LimitMode, LimitMonitor } from '#admission/limit-monitor.ts';
import type { RateLimit } from '#admission/rate-limit.ts';
import type { ValueLimit } from '#admission/value-limit.ts';

/** The counters and histograms, at zero for every combination the limits can produce. */
export function createLimitMonitor(
  registry: Registry,
  limits: readonly DeclaredLimit[],
  modeOf: (limit: string) => LimitMode,
): LimitMonitor {
  const registers = [registry];
  const admissions = new Counter({
    name: 'warren_limit_admissions_total',
    help: 'Permits given',
    labelNames: ['limit', 'class'],
    registers,
  });
  const refusals = new Counter({
    name: 'warren_limit_refusals_total',
    help: 'Refusals; in mode shadow, what would have been refused',
    labelNames: ['limit', 'class', 'reason', 'mode'],
    registers,
  });
  const waits = new Histogram({
    name: 'warren_limit_wait_duration_seconds',
    help: 'Time in the queue',
    labelNames: ['limit', 'outcome'],
    buckets: durationBucketsSeconds,
    registers,
  });
  const holds = new Histogram({
    name: 'warren_limit_hold_duration_seconds',
    help: 'From the permit to its release',
    labelNames: ['limit'],
    buckets: durationBucketsSeconds,
    registers,
  });
  const cancellations = new Counter({
    name: 'warren_limit_cancellations_total',
    help: 'Clients that left while queued or running',
    labelNames: ['limit', 'phase'],
    registers,
  });
  for (const { name, kind, classes, reasons, ...limit } of limits) {
    for (const each of classes) {
      if (kind === 'concurrency' || kind === 'rate')
        admissions.inc({ limit: name, class: each }, 0);
      for (const reason of reasons) {
        refusals.inc({ limit: name, class: each, reason, mode: modeOf(name) }, 0);
      }
    }
    if (kind !== 'concurrency') continue;
    holds.zero({ limit: name });
    cancellations.inc({ limit: name, phase: 'running' }, 0);
    if (!('queue' in limit) || limit.queue === undefined) continue;
    cancellations.inc({ limit: name, phase: 'queued' }, 0);
    for (const outcome of ['admitted', 'refused', 'cancelled'])
      waits.zero({ limit: name, outcome });
  }
  return {
    admitted: (limit, each) => admissions.inc({ limit, class: each }),
    refused: (limit, each, reason, mode) => refusals.inc({ limit, class: each, reason, mode }),
    waited: (limit, outcome, seconds) => waits.observe({ limit, outcome }, seconds),
    held: (limit, seconds) => holds.observe({ limit }, seconds),
    cancelled: (limit, phase) => cancellations.inc({ limit, phase }),
  };
}

export type LimitObjects = {
  readonly concurrency: readonly ConcurrencyLimit[];
  readonly gates: readonly Gate[];
  readonly values: readonly ValueLimit[];
  readonly rates: readonly RateLimit[];
};

type Sample = { readonly labels: Record<string, string>; readonly value: number };

/** The gauges, read at each scrape. */
export function registerLimitGauges(
  registry: Registry,
  { concurrency, gates, values, rates }: LimitObjects,
  options: { readonly clock: Clock; readonly modeOf: (limit: string) => LimitMode },
): void {
  const gauge = (name: string, help: string, labelNames: string[], read: () => Sample[]) => {
    const metric: Gauge = new Gauge({
      name: `warren_limit_${name}`,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const { labels, value } of read()) metric.set(labels, value);
      },
    });
  };
  const perLimit = (read: (limit: ConcurrencyLimit) => number) => () =>
    concurrency.map((limit) => ({ labels: { limit: limit.definition.name }, value: read(limit) }));
  const perQueue = (read: (gate: Gate) => number) => () =>
    gates
      .filter((gate) => gate.queueSlots > 0)
      .map((gate) => ({ labels: { limit: nameOf(gate) }, value: read(gate) }));
  const definitions = [...concurrency, ...values, ...rates.map((rate) => rate.options)].map(
    ({ definition }) => definition,
  );
  gauge('info', 'One for each limit', ['limit', 'kind', 'scope', 'mode', 'setting'], () =>
    definitions.map(({ name, kind, scope }) => ({
      labels: {
        limit: name,
        kind,
        scope,
        mode: options.modeOf(name),
        setting: `WARREN_LIMIT_${name.toUpperCase()}`,
      },
      value: 1,
    })),
  );
  gauge(
    'slots',
    'What may run at once, for each key',
    ['limit'],
    perLimit((l) => l.slots),
  );
  gauge('slots_in_use', 'Permits held now', ['limit', 'class'], () =>
    concurrency.flatMap((limit) =>
      limit.definition.classes.map((each) => ({
        labels: { limit: limit.definition.name, class: each },
        value: limit.inUseBy(each),
      })),
    ),
  );
  gauge(
    'slot_seconds_total',
    'Integral of the slots in use',
    ['limit'],
    perLimit((l) => l.integrals().slotSeconds),
  );
  gauge(
    'saturated_seconds_total',
    'Time at the bound',
    ['limit'],
    perLimit((l) => l.integrals().saturatedSeconds),
  );
  gauge('tracked_keys', 'Clients or repositories holding slots', ['limit'], () => [
    ...concurrency
      .filter(({ definition }) => definition.scope !== 'pod')
      .map((l) => ({ labels: { limit: l.definition.name }, value: l.trackedKeys })),
    ...rates.map((r) => ({ labels: { limit: r.options.definition.name }, value: r.trackedKeys })),
  ]);
  gauge(
    'queue_slots',
    'How many may wait',
    ['limit'],
    perQueue((g) => g.queueSlots),
  );
  gauge(
    'queue_deadline_seconds',
    'How long',
    ['limit'],
    perQueue((g) => g.waitMs / 1000),
  );
  gauge(
    'queue_oldest_timestamp_seconds',
    'Since when the oldest waits; 0: nobody does',
    ['limit'],
    perQueue((gate) => oldestTimestamp(gate, options.clock)),
  );
  gauge('queue_length', 'Waiting now', ['limit', 'class'], () =>
    gates
      .filter((gate) => gate.queueSlots > 0)
      .flatMap((gate) =>
        (gate.limits[0]?.definition.classes ?? []).map((each) => ({
          labels: { limit: nameOf(gate), class: each },
          value: gate.queue().waiting.filter((request) => request.class === each).length,
        })),
      ),
  );
  const perValue = (kind: 'size' | 'duration', divisor: number) => () =>
    values
      .filter(({ definition }) => definition.kind === kind)
      .map(({ definition, value }) => ({
        labels: { limit: definition.name },
        value: value / divisor,
      }));
  gauge('bytes', 'The bound of a size limit', ['limit'], perValue('size', 1));
  gauge('seconds', 'The bound of a time limit', ['limit'], perValue('duration', 1000));
  gauge('rate_tokens_per_second', 'The rate', ['limit'], () =>
    rates.map(({ options: { definition, perSecond } }) => ({
      labels: { limit: definition.name },
      value: perSecond,
    })),
  );
  gauge('burst_tokens', 'The burst', ['limit'], () =>
    rates.map(({ options: { definition, burst } }) => ({
      labels: { limit: definition.name },
      value: burst,
    })),
  );
}

function nameOf(gate: Gate): string {
  return gate.limits[0]?.definition.name ?? '';
}

function oldestTimestamp(gate: Gate, clock: Clock): number {
  const { oldestSinceMs } = gate.queue();
  if (oldestSinceMs === undefined) return 0;
  return (clock.now() - (clock.monotonicMs() - oldestSinceMs)) / 1000;
}
