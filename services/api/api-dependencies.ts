// What the api needs of the rest of the program. entry wires it; tests give real stores and small stand-ins.

import type { AccountStore } from '#entity/account-store.ts';
import type { Authenticator } from '#access/authenticate.ts';
import type { Refusal } from '#admission/refusal.ts';
import type { CatalogState } from '#catalog/catalog.ts';
import type { Context } from '#kernel/context.ts';
import type { Log } from '#kernel/log.ts';
import type { Actor } from '#model/actor.ts';
import type { RepositoryEntry } from '#model/catalog-entry.ts';
import type { RepositoryState } from '#model/repository-state.ts';

export type ManifestProblem = {
  readonly file?: string;
  readonly line: number;
  readonly sentence: string;
};
export type AppliedObject = {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly outcome: 'created' | 'configured' | 'unchanged';
};
export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly objects: readonly AppliedObject[] }
  | { readonly kind: 'refused'; readonly problems: readonly ManifestProblem[] };

export type LimitRow = {
  readonly name: string;
  readonly bounds: string;
  /** slots, bytes, seconds, per second. */
  readonly unit: string;
  /** null: each repository gives its own. */
  readonly limit: number | null;
  readonly inUse: number | null;
  readonly waiting: number | null;
  readonly refused: number;
  readonly mode: 'enforce' | 'shadow';
};

export type ImportRequest = {
  /** An address, or an absolute path on the server. */
  readonly source: string;
  readonly namespace: string;
  readonly name: string;
  readonly visibility?: 'public' | 'internal' | 'private';
};
export type ImportProgress = {
  readonly id: string;
  readonly repository: string;
  readonly state: 'running' | 'done' | 'failed';
  /** What goes on, such as "Receiving objects". */
  readonly phase: string;
  /** 0–100 of the phase; null while it is not known. */
  readonly percent: number | null;
  /** Why it failed. */
  readonly sentence: string | null;
};
export type ImportStart =
  | { readonly kind: 'started'; readonly progress: ImportProgress }
  | {
      readonly kind: 'refused';
      readonly code: 'INVALID' | 'CONFLICT' | 'LIMIT_REACHED';
      readonly sentence: string;
    };

export type Imports = {
  /** Begins and returns at once; the import goes on when the caller is gone. */
  start(ctx: Context, by: string, request: ImportRequest): Promise<ImportStart>;
  find(id: string): ImportProgress | undefined;
};

export type ApiDependencies = {
  readonly log: Log;
  readonly authenticator: Authenticator;
  readonly accounts: AccountStore;
  readonly catalog: { state(): CatalogState };
  readonly describeRepository: (entry: RepositoryEntry) => {
    readonly url: { readonly http: string; readonly ssh: string };
    readonly state: RepositoryState;
  };
  /** Writes the documents of the text into the catalog, all or none. */
  readonly applyManifests: (ctx: Context, text: string) => Promise<ApplyOutcome>;
  readonly readLimits: () => readonly LimitRow[] | Promise<readonly LimitRow[]>;
  readonly imports: Imports;
  /** Asked before each change; counts its own refusals. */
  readonly admitWrite?: (actor: Actor) => Refusal | undefined;
};
