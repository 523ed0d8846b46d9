// Imports that people start: a manifest with a source goes into the catalog, and the repository store does the rest.
// The api asks for their progress. Ended jobs are forgotten after a while, so the list is bounded.

import { randomUUID } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { stringify } from 'yaml';
import { sleep } from '#kernel/abort.ts';
import type { Context } from '#kernel/context.ts';
import { assertNever } from '#kernel/assert-never.ts';
import type {
  ApplyOutcome,
  ImportProgress,
  ImportRequest,
  Imports,
} from '#api/api-dependencies.ts';
import type { RepositoryState } from '#model/repository-state.ts';

const maxJobs = 1000;

export type ImportJobsOptions = {
  /** Lives as long as the server. */
  readonly background: Context;
  readonly applyManifests: (ctx: Context, text: string) => Promise<ApplyOutcome>;
  readonly isKnown: (id: string) => boolean;
  readonly stateOf: (id: string) => RepositoryState | undefined;
  /** Takes up the catalog again now: one that failed is tried once more. */
  readonly reconcile: () => Promise<void>;
};

export function createImportJobs(options: ImportJobsOptions): Imports {
  const jobs = new Map<string, ImportProgress>();

  async function follow(id: string): Promise<void> {
    for (;;) {
      const job = jobs.get(id);
      if (job === undefined) return;
      const next = progressOf(job, options.stateOf(job.repository));
      jobs.set(id, next);
      if (next.state !== 'running') return;
      await sleep(100, options.background.signal);
    }
  }

  return {
    async start(ctx, by, request) {
      const repository = `${request.namespace}/${request.name}`;
      // One that failed may be started again, from the same source or another.
      const isRetry = options.stateOf(repository)?.kind === 'failed';
      if (options.isKnown(repository) && !isRetry) {
        const sentence = `there is a repository ${repository} already`;
        return { kind: 'refused', code: 'CONFLICT', sentence };
      }
      const problem = sourceProblem(request.source);
      if (problem !== undefined) return { kind: 'refused', code: 'INVALID', sentence: problem };
      const applied = await options.applyManifests(ctx, renderManifest(request));
      if (applied.kind === 'refused') {
        const sentence = applied.problems.map((each) => each.sentence).join('; ');
        return { kind: 'refused', code: 'INVALID', sentence };
      }
      const progress: ImportProgress = {
        id: randomUUID(),
        repository,
        state: 'running',
        phase: 'Starting',
        percent: null,
        sentence: null,
      };
      jobs.set(progress.id, progress);
      const [oldest] = jobs.keys();
      if (jobs.size > maxJobs && oldest !== undefined) jobs.delete(oldest);
      options.background.log.info('import started', { repository, by, source: request.source });
      // Begun before the first look, so that the failure of the last try is not taken for that of this one.
      if (isRetry) void options.reconcile();
      follow(progress.id).catch(() => {}); // Ends with the server; the repository's own state says the rest.
      return { kind: 'started', progress };
    },
    find: (id) => jobs.get(id),
  };
}

/** Only what git can copy from without running a program of the address's choosing. */
function sourceProblem(source: string): string | undefined {
  if (isAbsolute(source) || /^(https?|ssh|git|file):\/\//.test(source)) return undefined;
  return 'a source is an https, ssh, git or file address, or an absolute path on the server';
}

function renderManifest({ source, namespace, name, visibility }: ImportRequest): string {
  return stringify({
    apiVersion: 'warren.dev/v1alpha1',
    kind: 'Repository',
    metadata: { namespace, name },
    spec: { visibility: visibility ?? 'private', source: { url: source } },
  });
}

function progressOf(job: ImportProgress, state: RepositoryState | undefined): ImportProgress {
  switch (state?.kind) {
    case undefined:
    case 'suspended':
      return job;
    case 'preparing': {
      const match = /^(.*?)(?: (\d+) %)?$/.exec(state.progress);
      const percent = match?.[2] === undefined ? null : Number(match[2]);
      return { ...job, phase: match?.[1] ?? state.progress, percent };
    }
    case 'ready':
      return { ...job, state: 'done', phase: 'Done', percent: 100 };
    case 'failed':
      return { ...job, state: 'failed', sentence: state.sentence };
    default:
      return assertNever(state);
  }
}
