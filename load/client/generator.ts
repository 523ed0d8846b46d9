// The load generator's process: takes jobs over IPC, one at a time, and answers with the sum. Started by start-generator.ts.
// It is a process of its own so that neither the bench's sampling nor a server shares its event loop.

import type { LoadJob } from '#load/client/load-job.ts';
import { runLoad } from '#load/client/run-load.ts';

process.on('message', (job: LoadJob) => {
  runLoad(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
// The bench is gone: nobody waits for a result.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
