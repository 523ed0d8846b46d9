// The settings of all limits, for the configuration registry and docs/config.md.

import type { Setting } from '#kernel/setting.ts';
import { allLimits } from '#admission/limits.ts';

/** WARREN_LIMIT_<NAME> and its _QUEUE, _WAIT and _BURST, in the order of the limits. */
export const limitSettings: readonly Setting<unknown>[] = allLimits.flatMap(({ settings }) =>
  [settings.value, settings.burst, settings.queue, settings.waitMs].filter(
    (setting) => setting !== undefined,
  ),
);
