// How far a repository of the catalog is on this pod's disk: what commands and pages show, what routes go by.

import type { ObjectFormat } from '#model/oid.ts';

export type RefFormat = 'files' | 'reftable';

export type RepositoryState =
  | { readonly kind: 'ready'; readonly objectFormat: ObjectFormat; readonly refFormat: RefFormat }
  | { readonly kind: 'preparing'; readonly progress: string }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'failed'; readonly sentence: string };
