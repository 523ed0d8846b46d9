// The catalog of a folder of manifests: looks at the folder when the filesystem hints at a change and at intervals,
// and tells listeners what changed. Wired by entry when WARREN_CATALOG is a directory.
// Must stay true: scans and applies never overlap, and a change is served within a second.

import { resolve } from 'node:path';
import { systemClock } from '#kernel/clock.ts';
import type { Clock, Timer } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Log } from '#kernel/log.ts';
import { advanceCatalog, buildCatalogState, emptyCatalogMemory } from '#catalog/catalog-memory.ts';
import type { CatalogMemory } from '#catalog/catalog-memory.ts';
import { emptyCatalogState } from '#catalog/catalog.ts';
import type { Catalog, CatalogProblem, CatalogState } from '#catalog/catalog.ts';
import { isSameState, problemChanges } from '#catalog/compare-states.ts';
import { createChangeReader } from '#catalog/read-changes.ts';
import type { ChangeReader } from '#catalog/read-changes.ts';
import type { Listing } from '#catalog/read-directory.ts';
import { watchDirectory } from '#catalog/watch-directory.ts';
import type { DirectoryWatch } from '#catalog/watch-directory.ts';
import { applyManifests } from '#catalog/write-manifest.ts';
import type { ApplyOutcome, ApplyRequest } from '#catalog/write-manifest.ts';

export type DirectoryCatalogOptions = {
  readonly directory: string;
  readonly log: Log;
  readonly clock?: Clock;
};

export type DirectoryCatalog = Catalog & {
  /** Writes the objects of a text into the folder, all or none; on return they are served. */
  apply(ctx: Context, request: ApplyRequest): Promise<ApplyOutcome>;
};

const settleMs = 100;
const lookIntervalMs = 500;
/** Looking takes at most one part in this of the time, however many files there are. */
const lookShare = 20;

/** A catalog over `directory`, which may not exist yet. */
export function createDirectoryCatalog(options: DirectoryCatalogOptions): DirectoryCatalog {
  return new FolderCatalog(options);
}

class FolderCatalog implements DirectoryCatalog {
  readonly #directory: string;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #watch: DirectoryWatch;
  readonly #listeners = new Set<(state: CatalogState) => void>();
  readonly #reader: ChangeReader;
  #memory: CatalogMemory = emptyCatalogMemory;
  #state: CatalogState = emptyCatalogState;
  #turn: Promise<void> = Promise.resolve();
  #timer: Timer | undefined;
  #isWaitingShort = false;
  #isClosed = false;

  constructor({ directory, log, clock = systemClock }: DirectoryCatalogOptions) {
    this.#directory = resolve(directory);
    this.#log = log.with({ catalog: this.#directory });
    this.#clock = clock;
    this.#reader = createChangeReader(this.#directory, { clock, settleMs });
    this.#watch = watchDirectory(this.#directory, () => this.#lookSoon());
  }

  state(): CatalogState {
    return this.#state;
  }

  onChange(listener: (state: CatalogState) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  async start(ctx: Context): Promise<void> {
    ctx.signal.throwIfAborted();
    await this.#inTurn(() => this.#look());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#watch.close();
    await this.#turn;
  }

  apply(ctx: Context, request: ApplyRequest): Promise<ApplyOutcome> {
    ctx.signal.throwIfAborted();
    return this.#inTurn(async () => {
      await this.#look(); // Against what is there now, not against what was seen last.
      const outcome = await applyManifests(this.#directory, this.#memory, request);
      if (outcome.kind === 'applied') await this.#look();
      return outcome;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.then(
      () => {},
      () => {}, // The caller has the error.
    );
    return result;
  }

  #lookSoon(): void {
    if (this.#isWaitingShort) return;
    this.#isWaitingShort = true;
    this.#schedule(settleMs);
  }

  #schedule(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#isClosed) return;
    this.#timer = this.#clock.after(delayMs, () => {
      this.#isWaitingShort = false;
      this.#inTurn(() => this.#look()).catch((error: unknown) => {
        this.#log.error('the catalog could not be read', { error });
        this.#schedule(lookIntervalMs);
      });
    });
  }

  async #look(): Promise<void> {
    const { listing, readings, listedMs, isUnsettled } = await this.#reader.read(
      (file) => (this.#memory.files.get(file)?.candidates.length ?? 0) > 0,
    );
    if (this.#isClosed) return;
    this.#watch.follow(listing.kind === 'listed' ? listing.identity : undefined);
    if (readings.size > 0) this.#memory = advanceCatalog(this.#memory, readings);
    this.#publish(buildCatalogState(this.#memory, directoryProblems(listing)));
    if (!this.#isWaitingShort) {
      this.#schedule(isUnsettled ? settleMs : Math.max(lookIntervalMs, lookShare * listedMs));
    }
  }

  #publish(next: CatalogState): void {
    const previous = this.#state;
    this.#state = next;
    const { appeared, gone } = problemChanges(previous.problems, next.problems);
    for (const problem of appeared) this.#log.warn('a manifest is refused', problem);
    for (const problem of gone) this.#log.info('a manifest is no longer refused', problem);
    if (isSameState(previous, next)) return;
    for (const listener of this.#listeners) {
      try {
        listener(next);
      } catch (error) {
        this.#log.error('a listener of the catalog failed', { error });
      }
    }
  }
}

function directoryProblems(listing: Listing): readonly CatalogProblem[] {
  if (listing.kind === 'unreadable') return [{ file: '.', line: 1, sentence: listing.sentence }];
  if (listing.kind === 'absent' || listing.leftOut === 0) return [];
  const sentence = `the catalog directory has too many files: the last ${listing.leftOut} are not read`;
  return [{ file: '.', line: 1, sentence }];
}
