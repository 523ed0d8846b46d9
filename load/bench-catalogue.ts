// The benches by name: one entry a bench, loaded when asked for.

import type { BenchScope } from '#load/bench-scope.ts';
import type { BenchReport } from '#load/report/result-row.ts';

export type Bench = {
  readonly question: string;
  run(scope: BenchScope): Promise<BenchReport>;
};

/** Every bench that `npm run bench -- NAME` knows. */
export const benches: ReadonlyMap<string, Bench> = new Map([
  [
    'clone',
    {
      question: 'Are clones faster than git http-backend behind nginx, at what cost in CPU?',
      run: async (scope) => (await import('#load/benches/clone.ts')).benchClone(scope),
    },
  ],
  [
    'limit',
    {
      question: 'Does the limit on fetches hold exactly, refuse well and cost no goodput?',
      run: async (scope) => (await import('#load/benches/limit.ts')).benchLimit(scope),
    },
  ],
  [
    'start',
    {
      question: 'How soon does npm start serve, and what does an idle server hold in memory?',
      run: async (scope) => (await import('#load/benches/start.ts')).benchStart(scope),
    },
  ],
]);
