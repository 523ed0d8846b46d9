// Runs one load job: every client loops until the job's end; who is refused waits as long as Retry-After says.

import { setTimeout as sleep } from 'node:timers/promises';
import { GitClient } from '#load/client/git-client.ts';
import type { LoadJob } from '#load/client/load-job.ts';
import { createTally, type LoadResult, type Outcome } from '#load/client/outcome.ts';
import { RawClient } from '#load/client/raw-client.ts';

/** A refusal without a usable Retry-After must not turn the closed loop into a spinning one. */
const fallbackWaitMs = 1_000;

type LoadClient = { run(): Promise<Outcome>; close(): Promise<void> };

/** Operations under way at the end are completed and counted; the elapsed time includes them. */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const clients = Array.from({ length: job.clients }, (_, at): LoadClient =>
    job.operation.startsWith('raw') ? new RawClient(job, at) : new GitClient(job, at),
  );
  const tally = createTally();
  const over = new AbortController();
  let left = 'operations' in job.until ? job.until.operations : Number.POSITIVE_INFINITY;
  const loop = async (client: LoadClient) => {
    while (!over.signal.aborted && left > 0) {
      left -= 1;
      const outcome = await client.run();
      tally.add(outcome);
      if (outcome.kind === 'refused' && left > 0)
        await waitAsTold(outcome.refusal.retryAfter, over.signal);
    }
  };
  const startedAt = performance.now();
  const timer =
    'afterMs' in job.until ? setTimeout(() => over.abort(), job.until.afterMs) : undefined;
  try {
    await Promise.all(clients.map(loop));
    return tally.finish(performance.now() - startedAt);
  } finally {
    clearTimeout(timer);
    await Promise.all(clients.map((client) => client.close()));
  }
}

async function waitAsTold(retryAfter: string | undefined, over: AbortSignal): Promise<void> {
  const seconds = Number(retryAfter);
  const waitMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : fallbackWaitMs;
  await sleep(waitMs, undefined, { signal: over }).catch(() => undefined);
}
