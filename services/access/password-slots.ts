// How many passwords are hashed at once: scrypt runs on the thread pool that file reads need too, and takes 32 MiB each.
// The limit is admission's password_checks; password.ts runs its hashing in here.

import type { Context } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import type { Gate } from '#admission/gate.ts';

export type PasswordSlots = {
  /**
   * Runs `work` in a slot.
   * @throws LIMIT_REACHED when too many wait already, or one waited too long; the signal's reason when aborted.
   */
  run<T>(ctx: Context, work: () => Promise<T>): Promise<T>;
};

/** Nobody is known yet who signs in, so all share one queue. */
const request = { class: 'anon_cheap', clientKey: '' } as const;

export function createPasswordSlots(gate: Pick<Gate, 'acquire'>): PasswordSlots {
  return {
    async run(ctx, work) {
      const permit = await gate.acquire(ctx, request);
      if (permit.kind === 'refused') {
        // Thrown, not returned: whoever forgot the case would take the caller for anonymous.
        const { limit, reason, retryAfterSeconds, sentence } = permit;
        throw new ForgeError('LIMIT_REACHED', { limit, reason, retryAfterSeconds, sentence });
      }
      try {
        return await work();
      } finally {
        permit.release();
      }
    },
  };
}
