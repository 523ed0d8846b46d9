// One Repository, Site or GitPool as the catalog hands it on: identity, validated spec with its defaults, origin.

import type { GitPoolSpec, RepositorySpec, SiteSpec } from '#model/kinds.generated.ts';

export type Kind = 'Repository' | 'Site' | 'GitPool';

export type EntryOrigin = { readonly file: string; readonly line: number };

type EntryOf<K extends Kind, S> = {
  readonly kind: K;
  readonly namespace: string;
  readonly name: string;
  readonly spec: S;
  readonly origin: EntryOrigin;
};

export type RepositoryEntry = EntryOf<'Repository', RepositorySpec> & {
  /** `namespace/name`: the identity of the data, stable when the path changes. */
  readonly id: string;
  /** Where it is in addresses: spec.path, else the id. */
  readonly path: string;
};
export type SiteEntry = EntryOf<'Site', SiteSpec>;
export type GitPoolEntry = EntryOf<'GitPool', GitPoolSpec>;
export type CatalogEntry = RepositoryEntry | SiteEntry | GitPoolEntry;
