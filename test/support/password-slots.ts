// Password slots over a real gate, for tests that sign in by password.

import { ConcurrencyLimit } from '#admission/concurrency-limit.ts';
import { Gate } from '#admission/gate.ts';
import { silentLimitMonitor } from '#admission/limit-monitor.ts';
import { passwordChecks } from '#admission/limits.ts';
import { createPasswordSlots, type PasswordSlots } from '#access/password-slots.ts';
import { systemClock } from '#kernel/clock.ts';

export function createTestPasswordSlots(slots = 2, queueSlots = 64): PasswordSlots {
  const clock = systemClock;
  const limit = new ConcurrencyLimit({
    definition: passwordChecks,
    slots,
    mode: 'enforce',
    clock,
    keyOf: () => ({ key: 'pod', slots }),
  });
  const monitor = silentLimitMonitor;
  return createPasswordSlots(
    new Gate({ limits: [limit], queueSlots, waitMs: 5000, monitor, clock }),
  );
}
