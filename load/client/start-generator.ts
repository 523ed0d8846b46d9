// Starts the generator's process and runs load jobs in it, one after the other.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchScope } from '#load/bench-scope.ts';
import type { LoadJob } from '#load/client/load-job.ts';
import type { LoadResult } from '#load/client/outcome.ts';
import { killGroup } from '#load/server/launch.ts';

export type Generator = {
  /** @throws Error when the generator ends or the bench is stopped meanwhile. */
  run(job: LoadJob): Promise<LoadResult>;
};

type Answer = { readonly result?: LoadResult; readonly error?: string };

/** The process and its git clients end with the scope. */
export async function startGenerator(scope: BenchScope): Promise<Generator> {
  const child = fork(fileURLToPath(new URL('generator.ts', import.meta.url)), [], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  await once(child, 'spawn', { signal: scope.signal });
  const pid = child.pid!;
  const exited = new Promise<never>((_, reject) =>
    child.once('exit', () => reject(new Error('the load generator ended before its answer'))),
  );
  exited.catch(() => undefined);
  scope.defer('load generator', async () => {
    killGroup(pid);
    await exited.catch(() => undefined);
  });
  return {
    async run(job) {
      child.send(job);
      const message = once(child, 'message', { signal: scope.signal }) as Promise<[Answer]>;
      const [{ result, error }] = await Promise.race([message, exited]);
      if (!result) throw new Error(`the load generator failed: ${error}`);
      return result;
    },
  };
}
