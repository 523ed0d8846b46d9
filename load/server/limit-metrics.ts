// Reads the limits from a server's /metrics as an operator's Prometheus would.

export type LimitReading = {
  /** Slots in use of `git_http`, all classes. */
  readonly slotsInUse: number;
  /** Enforced refusals of git_http and the limits beside it (client, anonymous), by limit. */
  readonly refusals: Readonly<Record<string, number>>;
};

type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** The samples of a text exposition. */
export function parseExposition(text: string): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const [, name, labelText = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)/i.exec(line) ?? [];
    if (name === undefined) continue;
    const labels = [...labelText.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [
      key!,
      text!,
    ]);
    samples.push({
      name,
      labels: Object.fromEntries(labels) as Record<string, string>,
      value: Number(value),
    });
  }
  return samples;
}

/** The pure part of readLimits. */
export function limitReadingOf(samples: readonly Sample[]): LimitReading {
  const refusals: Record<string, number> = {};
  let slotsInUse = 0;
  for (const { name, labels, value } of samples) {
    const limit = labels['limit'] ?? '';
    if (name === 'warren_limit_slots_in_use' && limit === 'git_http') slotsInUse += value;
    if (name !== 'warren_limit_refusals_total' || labels['mode'] !== 'enforce') continue;
    if (limit.startsWith('git_http')) refusals[limit] = (refusals[limit] ?? 0) + value;
  }
  return { slotsInUse, refusals };
}

/** One scrape. */
export async function readLimits(adminUrl: string): Promise<LimitReading> {
  const answer = await fetch(`${adminUrl}/metrics`);
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  const samples = parseExposition(await answer.text());
  if (!samples.some(({ name }) => name === 'warren_limit_slots_in_use'))
    throw new Error('/metrics has no warren_limit_slots_in_use: nothing to judge the limit by');
  return limitReadingOf(samples);
}

/** All refusals together. */
export function totalRefusals({ refusals }: LimitReading): number {
  return Object.values(refusals).reduce((sum, value) => sum + value, 0);
}
