// The table of `warren limits`: every limit with its bound and present use, read from the limits themselves.

import type { LimitRow } from '#api/api-dependencies.ts';
import type { Admission } from '#admission/create-admission.ts';
import type { Registry } from '#kernel/metrics.ts';

/** @param registry to read the refusals from: they are counted in one place only. */
export async function readLimitRows(
  { objects }: Admission,
  registry: Registry,
): Promise<readonly LimitRow[]> {
  const refusals = await countRefusals(registry);
  const waiting = new Map(
    objects.gates.map((gate) => [gate.limits[0]?.definition.name, gate.queue().waiting.length]),
  );
  return [
    ...objects.concurrency.map(({ definition: { name, bounds }, slots, inUse, mode }) => ({
      name,
      bounds,
      unit: 'slots',
      limit: slots > 0 ? slots : null,
      inUse,
      waiting: waiting.get(name) ?? null,
      refused: refusals.get(name) ?? 0,
      mode,
    })),
    ...objects.values.map(({ definition: { name, bounds, kind }, value }) => ({
      name,
      bounds,
      unit: kind === 'size' ? 'bytes' : 'seconds',
      limit: kind === 'size' ? value : value / 1000,
      inUse: null,
      waiting: null,
      refused: refusals.get(name) ?? 0,
      mode: 'enforce' as const,
    })),
    ...objects.rates.map(({ options: { definition, perSecond, mode } }) => ({
      name: definition.name,
      bounds: definition.bounds,
      unit: 'per second',
      limit: perSecond,
      inUse: null,
      waiting: null,
      refused: refusals.get(definition.name) ?? 0,
      mode,
    })),
  ];
}

async function countRefusals(registry: Registry): Promise<Map<string, number>> {
  const metric = await registry.getSingleMetric('warren_limit_refusals_total')?.get();
  const counts = new Map<string, number>();
  for (const { labels, value } of metric?.values ?? []) {
    const limit = String(labels['limit']);
    if (labels['mode'] === 'enforce') counts.set(limit, (counts.get(limit) ?? 0) + value);
  }
  return counts;
}
