// The end of a server: readiness fails first, new work is refused, running clones and pushes finish within a deadline,
// then everything is aborted. Called by serve on SIGTERM or SIGINT.

import { sleep } from '#kernel/abort.ts';
import type { Context } from '#kernel/context.ts';
import type { Admission } from '#admission/create-admission.ts';
import type { Readiness } from '#transport/admin-server.ts';

/** How long nothing may run before it counts as done: a clone makes several requests. */
const quietMs = 200;
const pollMs = 25;

export type DrainOptions = {
  readonly admission: Admission;
  readonly readiness: Readiness;
  readonly timeoutMs: number;
  /** Aborts when the wait is to be cut short. */
  readonly hurry: AbortSignal;
};

/** @returns whether all work ended by itself. */
export async function drain(ctx: Context, options: DrainOptions): Promise<boolean> {
  const { admission, readiness, timeoutMs, hurry } = options;
  readiness.ready = false;
  readiness.reason = 'draining';
  admission.close();
  const until = performance.now() + timeoutMs;
  let quietSince = performance.now();
  const worked = isBusy(admission);
  while (performance.now() < until && !hurry.aborted) {
    if (isBusy(admission)) quietSince = performance.now();
    // A server nobody uses ends at once.
    else if (!worked || performance.now() - quietSince >= quietMs) return true;
    await sleep(pollMs, ctx.signal);
  }
  ctx.log.warn('ending work that did not finish in time', { timeoutMs, hurried: hurry.aborted });
  return false;
}

function isBusy({ gitHttp, gitPush, gitSsh, httpRequests }: Admission): boolean {
  const gates = [gitHttp, gitPush, gitSsh, httpRequests];
  return gates.some((gate) => gate.queue().waiting.length > 0 || (gate.limits[0]?.inUse ?? 0) > 0);
}
