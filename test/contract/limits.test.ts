// Every declared limit exports its series from the start, with the labels it can produce and no others.

import { expect, test } from 'vitest';
import { createAdmission } from '#admission/create-admission.ts';
import { limitSettings } from '#admission/limit-settings.ts';
import { allLimits } from '#admission/limits.ts';
import { systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import { createRegistry } from '#kernel/metrics.ts';
import { baseSettings } from '#kernel/settings.ts';
import { clientClasses } from '#model/client-class.ts';
import { parseMetrics } from '#support/metrics-scrape.ts';

async function boot(env: Record<string, string> = {}) {
  const registry = createRegistry();
  const config = readConfig(env, [...baseSettings, ...limitSettings]);
  const admission = createAdmission({ config, registry, clock: systemClock });
  return { admission, metrics: parseMetrics(await registry.metrics()) };
}

test.each(allLimits.map((limit) => [limit.name, limit] as const))('%s', async (name, limit) => {
  const { metrics } = await boot();
  const labels = { limit: name };
  expect(
    metrics.series('warren_limit_info', {
      ...labels,
      kind: limit.kind,
      scope: limit.scope,
      mode: 'enforce',
    }),
  ).toHaveLength(1);
  const refusals = metrics.series('warren_limit_refusals_total', labels);
  expect(
    refusals.map((one) => `${one.labels['class']} ${one.labels['reason']}`).toSorted(),
  ).toEqual(
    limit.classes.flatMap((each) => limit.reasons.map((reason) => `${each} ${reason}`)).toSorted(),
  );
  const expected = {
    concurrency: [
      'slots',
      'slot_seconds_total',
      'saturated_seconds_total',
      'hold_duration_seconds_count',
    ],
    size: ['bytes'],
    duration: ['seconds'],
    rate: ['rate_tokens_per_second', 'burst_tokens', 'tracked_keys'],
  }[limit.kind];
  for (const suffix of expected)
    expect(metrics.value(`warren_limit_${suffix}`, labels), suffix).toBeDefined();
  if (limit.kind === 'concurrency') {
    for (const each of limit.classes)
      expect(metrics.value('warren_limit_slots_in_use', { ...labels, class: each })).toBe(0);
  }
});

test('labels are closed: no client, repository or path is in any', async () => {
  const { metrics } = await boot();
  for (const { name, labels } of metrics.all) {
    if (labels['class'] !== undefined) expect(clientClasses).toContain(labels['class']);
    for (const label of Object.keys(labels)) {
      expect(
        ['limit', 'class', 'reason', 'mode', 'kind', 'scope', 'setting', 'outcome', 'phase', 'le'],
        name,
      ).toContain(label);
    }
  }
});

test('a limit that follows another takes its value, unless it is set', async () => {
  const slots = async (env: Record<string, string>) =>
    (await boot(env)).metrics.value('warren_limit_slots', { limit: 'git_http_anonymous' });
  expect(await slots({})).toBe(16);
  expect(await slots({ WARREN_LIMIT_GIT_HTTP: '5' })).toBe(5);
  expect(await slots({ WARREN_LIMIT_GIT_HTTP: '5', WARREN_LIMIT_GIT_HTTP_ANONYMOUS: '2' })).toBe(2);
});

test('a limit in shadow is told from the others, and a name that is none stops the start', async () => {
  await expect(boot({ WARREN_LIMIT_SHADOW: 'git_htp' })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
  });
  expect(new Set(allLimits.map(({ name }) => name)).size).toBe(allLimits.length);
  const { metrics } = await boot({ WARREN_LIMIT_SHADOW: 'git_http' });
  expect(
    metrics.series('warren_limit_info', { mode: 'shadow' }).map((one) => one.labels['limit']),
  ).toEqual(['git_http']);
});
