// Carries out the catalog on disk: "this repository must exist". Creates, imports, follows mirrors, points HEAD;
// never deletes data. Callers: entry on each change of the catalog; every edge asks stateOf before it serves.

import type { Context } from '#kernel/context.ts';
import { isForgeError, messageOf } from '#kernel/forge-error.ts';
import { parseDurationMs } from '#kernel/units.ts';
import { Semaphore } from '#kernel/semaphore.ts';
import type { RepositoryEntry } from '#model/catalog-entry.ts';
import type { RepositoryState } from '#model/repository-state.ts';
import { createRepository } from '#git/create-repository.ts';
import type { GitRunner } from '#git/git-runner.ts';
import { fetchMirror } from '#git/mirror.ts';
import { pointHead } from '#git/refs.ts';
import { readHeadFile, type RefSnapshots } from '#git/ref-snapshot.ts';
import {
  readFormats,
  repositoryDirectory,
  type RepositoryFormats,
} from '#git/repository-layout.ts';
import { sweepLeftovers } from '#git/sweep-leftovers.ts';

/** A source that did not answer is asked again: after this, then twice, four times … as long, up to an hour. */
const firstPauseMs = 30_000;

type Tracked = {
  entry: RepositoryEntry;
  state: RepositoryState;
  /** The preparation that runs, if one does; its end looks at the newest entry again. */
  running: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  /** How often it has failed in a row: the pause before the next try doubles with each. */
  failures: number;
};

export type RepositoryStoreOptions = {
  readonly dataDir: string;
  readonly git: GitRunner;
  readonly snapshots: RefSnapshots;
  /** How many repositories are made or imported at once. */
  readonly concurrency?: number;
  /** False in a service that only reads: another process of the pod makes what is missing. */
  readonly creates?: boolean;
};

export class RepositoryStore {
  readonly #options: RepositoryStoreOptions;
  readonly #tracked = new Map<string, Tracked>();
  readonly #work: Semaphore;
  /** Once a start only: a repository that was hidden and comes back may have a push running from before. */
  readonly #swept = new Set<string>();

  constructor(options: RepositoryStoreOptions) {
    this.#options = options;
    this.#work = new Semaphore(options.concurrency ?? 4);
  }

  directoryOf(id: string): string {
    return repositoryDirectory(this.#options.dataDir, id);
  }

  /** undefined: the catalog does not name it (any more). */
  stateOf(id: string): RepositoryState | undefined {
    return this.#tracked.get(id)?.state;
  }

  /** Takes the catalog's present repositories; resolves when all that can be made is made. */
  async reconcile(ctx: Context, entries: Iterable<RepositoryEntry>): Promise<void> {
    const named = new Set<string>();
    const preparing: Promise<void>[] = [];
    for (const entry of entries) {
      named.add(entry.id);
      const tracked = this.#track(entry);
      tracked.entry = entry;
      preparing.push(this.#startPreparing(ctx, tracked));
    }
    for (const [id, tracked] of this.#tracked) {
      if (named.has(id)) continue;
      clearTimeout(tracked.timer);
      this.#tracked.delete(id);
      this.#options.snapshots.forget(this.directoryOf(id));
    }
    await Promise.all(preparing);
  }

  /** Stops following mirrors and waits for what is being prepared (abort its context first). */
  async close(): Promise<void> {
    for (const { timer } of this.#tracked.values()) clearTimeout(timer);
    await Promise.all([...this.#tracked.values()].map(async ({ running }) => running));
  }

  #track(entry: RepositoryEntry): Tracked {
    const known = this.#tracked.get(entry.id);
    if (known !== undefined) return known;
    const tracked: Tracked = {
      entry,
      state: { kind: 'preparing', progress: 'waiting' },
      running: undefined,
      timer: undefined,
      failures: 0,
    };
    this.#tracked.set(entry.id, tracked);
    return tracked;
  }

  /** One at a time for each repository; whoever comes while one runs is told of its end. */
  #startPreparing(ctx: Context, tracked: Tracked): Promise<void> {
    tracked.running ??= this.#prepare(ctx, tracked).finally(() => {
      tracked.running = undefined;
    });
    return tracked.running;
  }

  async #prepare(ctx: Context, tracked: Tracked): Promise<void> {
    const before = tracked.entry;
    if (tracked.state.kind === 'failed') {
      tracked.state = { kind: 'preparing', progress: 'trying again' };
    }
    try {
      tracked.state = await this.#bring(ctx, tracked);
      tracked.failures = 0;
    } catch (error) {
      if (ctx.signal.aborted) return;
      const sentence = isForgeError(error) ? error.message : messageOf(error);
      tracked.state = { kind: 'failed', sentence };
      ctx.log.error('a repository cannot be served', { repository: before.id, error });
      this.#tryAgainIn(ctx, tracked, firstPauseMs * 2 ** Math.min(tracked.failures++, 7));
    }
    // The manifest changed while this ran: go by the new one.
    if (tracked.entry !== before && this.#tracked.has(before.id)) await this.#prepare(ctx, tracked);
  }

  async #bring(ctx: Context, tracked: Tracked): Promise<RepositoryState> {
    const { entry } = tracked;
    const { spec, id } = entry;
    clearTimeout(tracked.timer);
    if (spec.suspend) return { kind: 'suspended' };
    const gitDir = this.directoryOf(id);
    const existing = await readFormats(gitDir);
    if (this.#options.creates === false) {
      return existing === undefined
        ? this.#lookAgain(ctx, tracked)
        : { kind: 'ready', ...existing };
    }
    if (existing === undefined) await this.#create(ctx, tracked, gitDir);
    else if (!this.#swept.has(id)) await this.#sweep(ctx, gitDir);
    this.#swept.add(id);
    const formats = existing ?? (await readFormats(gitDir));
    if (formats === undefined) return { kind: 'failed', sentence: 'the repository has no config' };
    await this.#work.run(ctx.signal, () => this.#pointHead(ctx, entry, gitDir, formats));
    if (spec.source?.mirror === true) this.#scheduleMirror(ctx, tracked, gitDir);
    return { kind: 'ready', ...formats };
  }

  #lookAgain(ctx: Context, tracked: Tracked): RepositoryState {
    this.#tryAgainIn(ctx, tracked, 500);
    return { kind: 'preparing', progress: 'waiting for the transport service' };
  }

  #tryAgainIn(ctx: Context, tracked: Tracked, delayMs: number): void {
    clearTimeout(tracked.timer);
    tracked.timer = setTimeout(() => {
      tracked.running ??= this.#prepare(ctx, tracked).finally(() => {
        tracked.running = undefined;
      });
    }, delayMs);
    tracked.timer.unref();
  }

  async #create(ctx: Context, tracked: Tracked, gitDir: string): Promise<void> {
    const { spec, id } = tracked.entry;
    if (spec.source?.secretRef !== undefined) {
      ctx.log.warn('source.secretRef is read from Kubernetes only and is not used here', {
        repository: id,
      });
    }
    await this.#work.run(ctx.signal, () =>
      createRepository(ctx, this.#options.git, {
        dataDir: this.#options.dataDir,
        gitDir,
        defaultBranch: spec.defaultBranch,
        objectFormat: spec.objectFormat,
        refFormat: spec.refFormat,
        sourceUrl: spec.source?.url,
        onProgress: ({ phase, percent }) => {
          const progress = percent === undefined ? phase : `${phase} ${percent} %`;
          tracked.state = { kind: 'preparing', progress };
        },
      }),
    );
    ctx.log.info('repository created', { repository: id, source: spec.source?.url });
  }

  async #sweep(ctx: Context, gitDir: string): Promise<void> {
    const removed = await sweepLeftovers(gitDir);
    if (removed.length > 0) ctx.log.warn('removed what a crash left behind', { removed });
  }

  /** HEAD follows spec.defaultBranch once that branch exists; an import keeps its own until then. */
  async #pointHead(
    ctx: Context,
    entry: RepositoryEntry,
    gitDir: string,
    { refFormat }: RepositoryFormats,
  ): Promise<void> {
    const { snapshots, git } = this.#options;
    const wanted = `refs/heads/${entry.spec.defaultBranch}`;
    // The common case at start, without a process for each of a thousand repositories.
    if (refFormat === 'files' && (await readHeadFile(gitDir)) === wanted) return;
    const snapshot = snapshots.current(gitDir) ?? (await snapshots.read(ctx, gitDir, refFormat));
    if (snapshot.headTarget === wanted) return;
    const exists = snapshot.refs.some(({ name }) => name === wanted);
    if (!exists && snapshot.headOid !== undefined) return;
    await pointHead(ctx, git, gitDir, entry.spec.defaultBranch);
  }

  #scheduleMirror(ctx: Context, tracked: Tracked, gitDir: string): void {
    const followed = tracked.entry;
    const { source } = followed.spec;
    // It may have left the catalog while it was fetched.
    if (source === undefined || this.#tracked.get(followed.id) !== tracked) return;
    const intervalMs = parseDurationMs(source.interval) ?? 600_000;
    const delayMs = intervalMs * (0.9 + 0.2 * Math.random());
    tracked.timer = setTimeout(() => {
      tracked.running ??= this.#work
        .run(ctx.signal, () => fetchMirror(ctx, this.#options.git, gitDir, source.url))
        .catch((error: unknown) => {
          if (!ctx.signal.aborted) {
            ctx.log.warn('a mirror could not be updated', { repository: tracked.entry.id, error });
          }
        })
        .finally(() => {
          tracked.running = undefined;
          if (ctx.signal.aborted) return;
          if (tracked.entry === followed) this.#scheduleMirror(ctx, tracked, gitDir);
          // The manifest changed while this ran, and nobody has looked at it yet.
          else void this.#startPreparing(ctx, tracked);
        });
    }, delayMs);
    tracked.timer.unref();
  }
}
