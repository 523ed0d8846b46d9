// Reads all settings from the environment once, at the entry; nothing else reads process.env.
// All mistakes are reported together: unknown WARREN_ names, and values that do not parse.

import { ForgeError } from '#kernel/forge-error.ts';
import type { Setting } from '#kernel/setting.ts';

export type Config = {
  /** The value of a registered setting, its default when the environment has none. */
  get<T>(setting: Setting<T>): T;
  /** True when the environment gave a value. */
  has(setting: Setting<unknown>): boolean;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param settings every setting this program knows.
 * @throws CONFIG_INVALID with one line for each mistake in `details.problems`.
 */
export function readConfig(env: Environment, settings: readonly Setting<unknown>[]): Config {
  const byName = new Map(settings.map((setting) => [setting.name as string, setting]));
  const values = new Map<string, unknown>();
  const problems: string[] = [];
  for (const [name, raw] of Object.entries(env)) {
    if (!name.startsWith('WARREN_') || raw === undefined) continue;
    const setting = byName.get(name);
    if (setting === undefined) {
      problems.push(`${name} is no setting of this program${suggest(name, byName.keys())}`);
      continue;
    }
    if (raw === '') continue; // An empty value means "as if unset", so a chart can leave it blank.
    const parsed = setting.parse(raw);
    if (parsed.ok) values.set(name, parsed.value);
    else problems.push(`${name} must be ${parsed.expected}, not ${JSON.stringify(raw)}`);
  }
  if (problems.length > 0) {
    throw new ForgeError('CONFIG_INVALID', { problems, sentence: problems.join('; ') });
  }
  return {
    has: (setting) => values.has(setting.name),
    get<T>(setting: Setting<T>): T {
      if (!byName.has(setting.name)) throw new TypeError(`${setting.name} is not registered`);
      // The map holds what this very setting's parser returned.
      if (values.has(setting.name)) return values.get(setting.name) as T;
      const parsed = setting.parse(setting.defaultText ?? '');
      // A computed default parses to undefined: its type says so.
      return parsed.ok ? parsed.value : (undefined as T);
    },
  };
}

function suggest(name: string, known: Iterable<string>): string {
  for (const other of known) {
    if (distanceAtMostTwo(name, other)) return `; did you mean ${other}?`;
  }
  return '';
}

/** Edit distance <= 2, by comparing what is left after the common prefix and suffix. */
function distanceAtMostTwo(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 2;
}
