// Whether two states of the catalog differ in anything that matters: lines that merely moved do not. Pure.

import { isDeepStrictEqual } from 'node:util';
import type { CatalogEntry } from '#model/catalog-entry.ts';
import type { CatalogProblem, CatalogState } from '#catalog/catalog.ts';

/** True when nobody needs to be told of the second state. */
export function isSameState(a: CatalogState, b: CatalogState): boolean {
  return (
    isSameEntries([...a.repositories.values()], [...b.repositories.values()]) &&
    isSameEntries(a.sites, b.sites) &&
    isSameEntries(a.pools, b.pools) &&
    isDeepStrictEqual(a.problems, b.problems)
  );
}

function isSameEntries(a: readonly CatalogEntry[], b: readonly CatalogEntry[]): boolean {
  return a.length === b.length && a.every((entry, at) => isSameEntry(entry, b[at]));
}

function isSameEntry(a: CatalogEntry, b: CatalogEntry | undefined): boolean {
  if (a === b) return true;
  return (
    b !== undefined &&
    a.kind === b.kind &&
    a.namespace === b.namespace &&
    a.name === b.name &&
    isDeepStrictEqual(a.spec, b.spec)
  );
}

/** Problems that are new and those that are gone; the line does not make a new problem. */
export function problemChanges(
  before: readonly CatalogProblem[],
  after: readonly CatalogProblem[],
): { appeared: readonly CatalogProblem[]; gone: readonly CatalogProblem[] } {
  const had = new Set(before.map(identify));
  const has = new Set(after.map(identify));
  return {
    appeared: after.filter((problem) => !had.has(identify(problem))),
    gone: before.filter((problem) => !has.has(identify(problem))),
  };
}

function identify({ file, sentence }: CatalogProblem): string {
  return `${file}\n${sentence}`;
}
