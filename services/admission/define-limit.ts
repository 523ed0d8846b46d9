// How a limit is declared: once, here. From the declaration come its settings, enforcement object, metrics,
// the row in docs/limits.md and the contract test that looks for its series.

import { assertNever } from '#kernel/assert-never.ts';
import { bytesSetting, durationSetting, numberSetting, type Setting } from '#kernel/setting.ts';
import type { ClientClass } from '#model/client-class.ts';

export const refusalReasons = [
  'queue_full',
  'queue_timeout',
  'client_share',
  'rate',
  'size',
  'duration',
  'disk',
  'shed',
  'shutdown',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

type Common = {
  readonly name: string;
  /** Whose use is counted together: the pod's, one client's or one repository's. */
  readonly scope: 'pod' | 'client' | 'repository';
  readonly classes: readonly ClientClass[];
  readonly reasons: readonly RefusalReason[];
  /** What it bounds, for docs and the refused person: "fetches running". */
  readonly bounds: string;
  /** What happens at the bound, for docs. */
  readonly atBound: string;
};

export type ConcurrencyDefinition = Common & {
  readonly kind: 'concurrency';
  /** A number, or the name of the limit whose value is the default; undefined: given by the repository. */
  readonly slots: number | string | undefined;
  /** Present when a request may wait; its slots default to those of the limit. */
  readonly queue?: { readonly wait: string; readonly slots?: number };
};
export type ValueDefinition = Common & {
  readonly kind: 'size' | 'duration';
  readonly default: string;
};
export type RateDefinition = Common & {
  readonly kind: 'rate';
  readonly perSecond: number;
  readonly burst: number;
};
export type LimitDefinition = ConcurrencyDefinition | ValueDefinition | RateDefinition;

export type LimitSettings = {
  /** undefined for a limit whose value comes from the repository's own spec. */
  readonly value?: Setting<number>;
  readonly queue?: Setting<number>;
  readonly waitMs?: Setting<number>;
  readonly burst?: Setting<number>;
};

export type DeclaredLimit<D extends LimitDefinition = LimitDefinition> = D & {
  readonly settings: LimitSettings;
};

/** Declares a limit and derives its settings WARREN_LIMIT_<NAME>, …_QUEUE, …_WAIT. */
export function defineLimit<const D extends LimitDefinition>(definition: D): DeclaredLimit<D> {
  return { ...definition, settings: settingsOf(definition) };
}

function settingsOf(limit: LimitDefinition): LimitSettings {
  const name = `WARREN_LIMIT_${limit.name.toUpperCase()}` as const;
  switch (limit.kind) {
    case 'concurrency':
      return concurrencySettings(name, limit);
    case 'rate':
      return {
        value: slotsSetting(name, `Rate per second: ${limit.bounds}.`, limit.perSecond),
        burst: slotsSetting(`${name}_BURST`, `How many may come at once.`, limit.burst),
      };
    case 'size':
      return {
        value: bytesSetting({ name, default: limit.default, text: `Bytes: ${limit.bounds}.` }),
      };
    case 'duration':
      return {
        value: durationSetting({ name, default: limit.default, text: `Time: ${limit.bounds}.` }),
      };
    default:
      return assertNever(limit);
  }
}

function concurrencySettings(
  name: `WARREN_${string}`,
  { slots, queue, bounds }: ConcurrencyDefinition,
): LimitSettings {
  if (slots === undefined) return {};
  const waiting =
    queue === undefined
      ? {}
      : {
          queue:
            queue.slots === undefined
              ? inheritedSetting(`${name}_QUEUE`, 'How many may wait. Default: as many as slots.')
              : slotsSetting(`${name}_QUEUE`, 'How many may wait.', queue.slots),
          waitMs: durationSetting({
            name: `${name}_WAIT`,
            default: queue.wait,
            text: 'How long one may wait.',
          }),
        };
  if (typeof slots === 'number') {
    return { value: slotsSetting(name, `Slots: ${bounds}.`, slots), ...waiting };
  }
  return {
    value: inheritedSetting(name, `Slots: ${bounds}. Default: the value of ${slots}.`),
    ...waiting,
  };
}

function slotsSetting(name: `WARREN_${string}`, text: string, value: number): Setting<number> {
  return numberSetting({ name, text, default: value, min: 1, max: 1_000_000 });
}

/** A count whose default is another value: unset reads as 0, which no one can set. */
function inheritedSetting(name: `WARREN_${string}`, text: string): Setting<number> {
  const given = numberSetting({ name, text, default: 1, min: 1, max: 1_000_000 });
  return {
    ...given,
    defaultText: undefined,
    parse: (raw) => (raw === '' ? { ok: true, value: 0 } : given.parse(raw)),
  };
}
