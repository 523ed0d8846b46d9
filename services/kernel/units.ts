// Sizes and durations as people write them in settings and manifests: 8MiB, 5s. Pure.

const byteUnits: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
};
const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1e3,
  m: 60e3,
  h: 3600e3,
  d: 86_400e3,
};

function parseUnit(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = /^(\d{1,15})([A-Za-z]*)$/.exec(text.trim());
  const factor = units[match?.[2] ?? '?'];
  if (match === null || factor === undefined) return undefined;
  const value = Number(match[1]) * factor;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Bytes of `8MiB`, `8Mi` (as Kubernetes writes it), `1000`; undefined when it is none. */
export function parseBytes(text: string): number | undefined {
  return parseUnit(text, byteUnits);
}

/** Milliseconds of `5s`, `250ms`, `10m`; a bare number is no duration. */
export function parseDurationMs(text: string): number | undefined {
  return /[a-z]$/.test(text.trim()) ? parseUnit(text, durationUnits) : undefined;
}

/** `8 MiB`, `1.5 GiB`: for sentences. */
export function formatBytes(bytes: number): string {
  for (const [unit, factor] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (bytes >= factor) return `${Number((bytes / factor).toFixed(1))} ${unit}`;
  }
  return `${bytes} bytes`;
}

/** `5 s`, `250 ms`, `10 min`: for sentences. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 120_000) return `${Number((durationMs / 1000).toFixed(1))} s`;
  return `${Number((durationMs / 60_000).toFixed(1))} min`;
}
