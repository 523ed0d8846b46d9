// How a setting is declared: name, type, default, unit and text in one place. settings.ts and the limits declare
// with these; config.ts reads the environment by them; docs/config.md is generated from them.

import { parseBytes, parseDurationMs } from '#kernel/units.ts';

export type Parsed<T> = { ok: true; value: T } | { ok: false; expected: string };

export type Setting<T> = {
  readonly name: `WARREN_${string}`;
  /** How the type is named in docs and errors. */
  readonly type: string;
  /** As a person would write it; undefined when the default is computed from other settings. */
  readonly defaultText: string | undefined;
  readonly text: string;
  parse(raw: string): Parsed<T>;
};

type Declaration = { name: `WARREN_${string}`; text: string };

/** Declares a setting of any type by its parser. */
export function defineSetting<T>(setting: Setting<T>): Setting<T> {
  return setting;
}

export function textSetting(spec: Declaration & { default?: string }): Setting<string | undefined> {
  return {
    ...spec,
    type: 'text',
    defaultText: spec.default,
    parse: (raw) => ({ ok: true, value: raw === '' ? undefined : raw }),
  };
}

/** A TCP port; 0 means any free one. */
export function portSetting(spec: Declaration & { default: number }): Setting<number> {
  return numberSetting({ ...spec, type: 'port', min: 0, max: 65_535 });
}

export function numberSetting(
  spec: Declaration & { default: number; type?: string; min: number; max: number },
): Setting<number> {
  const { min, max } = spec;
  return {
    ...spec,
    type: spec.type ?? 'integer',
    defaultText: String(spec.default),
    parse(raw) {
      const value = /^\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN;
      if (value >= min && value <= max) return { ok: true, value };
      return { ok: false, expected: `a whole number from ${min} to ${max}` };
    },
  };
}

export function bytesSetting(spec: Declaration & { default: string }): Setting<number> {
  return {
    ...spec,
    type: 'bytes',
    defaultText: spec.default,
    parse(raw) {
      const value = parseBytes(raw);
      if (value !== undefined && value > 0) return { ok: true, value };
      return { ok: false, expected: 'a size above 0 such as 8MiB' };
    },
  };
}

export function durationSetting(spec: Declaration & { default: string }): Setting<number> {
  return {
    ...spec,
    type: 'duration',
    defaultText: spec.default,
    parse(raw) {
      const value = parseDurationMs(raw);
      if (value !== undefined && value > 0) return { ok: true, value };
      return { ok: false, expected: 'a duration above 0 such as 5s or 250ms' };
    },
  };
}

export function urlSetting(spec: Declaration): Setting<URL | undefined> {
  return {
    ...spec,
    type: 'URL',
    defaultText: undefined,
    parse(raw) {
      const url = URL.canParse(raw) ? new URL(raw) : undefined;
      if (url !== undefined && /^https?:$/.test(url.protocol) && url.pathname === '/') {
        return { ok: true, value: url };
      }
      return { ok: false, expected: 'an http or https address without a path' };
    },
  };
}

export function listSetting(
  spec: Declaration & { default?: string; oneOf?: readonly string[] },
): Setting<readonly string[]> {
  return {
    ...spec,
    type: 'list',
    defaultText: spec.default ?? '',
    parse(raw) {
      const value = raw
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
      const wrong = value.find((item) => spec.oneOf !== undefined && !spec.oneOf.includes(item));
      if (wrong === undefined) return { ok: true, value };
      return { ok: false, expected: `a list of ${spec.oneOf?.join(', ')}` };
    },
  };
}
