// What the rest of the program knows of the catalog: the present objects, and what was refused.
// A directory of manifests (directory-catalog.ts) and the Kubernetes watch are two sources of this one type.

import type { Context } from '#kernel/context.ts';
import type { GitPoolEntry, RepositoryEntry, SiteEntry } from '#model/catalog-entry.ts';

/** Why a document is not served as it stands. `file` is relative to the catalog directory; `line` counts from 1. */
export type CatalogProblem = {
  readonly file: string;
  readonly line: number;
  readonly sentence: string;
};

export type CatalogState = {
  /** By path, as in addresses. */
  readonly repositories: ReadonlyMap<string, RepositoryEntry>;
  readonly sites: readonly SiteEntry[];
  readonly pools: readonly GitPoolEntry[];
  readonly problems: readonly CatalogProblem[];
};

export type Catalog = {
  /** The last good state; empty before start. */
  state(): CatalogState;
  /** The listener is called after each change and only then; dispose to stop. */
  onChange(listener: (state: CatalogState) => void): Disposable;
  /** Resolves when the first state is there. */
  start(ctx: Context): Promise<void>;
  close(): Promise<void>;
};

export const emptyCatalogState: CatalogState = {
  repositories: new Map(),
  sites: [],
  pools: [],
  problems: [],
};
