// Which objects serve, given what all files name now and what served before. Pure.
// Must stay true: what served keeps serving until its own document changes well or goes; a newcomer that claims a
// path, name or host of another is refused. Among newcomers the earlier file and line wins.

import type { CatalogEntry, EntryOrigin } from '#model/catalog-entry.ts';
import type { CatalogProblem } from '#catalog/catalog.ts';
import { createClaims } from '#catalog/claims.ts';
import type { FieldPath } from '#catalog/field-problem.ts';
import { entryKey } from '#catalog/manifest-identity.ts';

/** One document that names an object; `entry` is undefined when it was refused by itself. */
export type Candidate = {
  readonly key: string;
  readonly origin: EntryOrigin;
  readonly entry: CatalogEntry | undefined;
  readonly lineOf: (path: FieldPath) => number;
};

export type CatalogPlan = {
  readonly entries: ReadonlyMap<string, CatalogEntry>;
  readonly refused: readonly Refused[];
};

export type Refused = { readonly key: string; readonly problem: CatalogProblem };

/**
 * @param ordered the documents in the order in which newcomers win.
 * @param last what served before, by key.
 */
export function planCatalog(
  ordered: readonly Candidate[],
  last: ReadonlyMap<string, CatalogEntry>,
): CatalogPlan {
  const { chosen, repeated } = chooseDocuments(ordered, last);
  const fallenBack: Refused[] = [];
  const pinned = new Set<string>();
  for (;;) {
    const round = claimAll(chosen, last, pinned);
    const refusedNow = round.refused.filter(({ key }) => last.has(key) && !pinned.has(key));
    for (const { key } of refusedNow) pinned.add(key);
    fallenBack.push(...refusedNow);
    // Whoever fell back to what it was may need a path that another took in this round: claim anew.
    if (refusedNow.length > 0) continue;
    return { entries: round.entries, refused: [...repeated, ...fallenBack, ...round.refused] };
  }
}

function chooseDocuments(
  ordered: readonly Candidate[],
  last: ReadonlyMap<string, CatalogEntry>,
): { chosen: readonly Candidate[]; repeated: readonly Refused[] } {
  const chosen = new Map<string, Candidate>();
  for (const candidate of ordered) {
    const isIncumbent = last.get(candidate.key)?.origin.file === candidate.origin.file;
    const rival = chosen.get(candidate.key);
    const rivalIsIncumbent = last.get(candidate.key)?.origin.file === rival?.origin.file;
    if (rival === undefined || (isIncumbent && !rivalIsIncumbent)) {
      chosen.set(candidate.key, candidate);
    }
  }
  const repeated = ordered.flatMap((candidate) => {
    const winner = chosen.get(candidate.key);
    if (winner === undefined || winner === candidate) return [];
    const sentence = `${candidate.key} is already declared in ${showOrigin(winner.origin)}`;
    const line = candidate.lineOf(['metadata', 'name']);
    return [{ key: candidate.key, problem: { file: candidate.origin.file, line, sentence } }];
  });
  return {
    chosen: ordered.filter((candidate) => chosen.get(candidate.key) === candidate),
    repeated,
  };
}

function claimAll(
  chosen: readonly Candidate[],
  last: ReadonlyMap<string, CatalogEntry>,
  pinned: ReadonlySet<string>,
): { entries: ReadonlyMap<string, CatalogEntry>; refused: readonly Refused[] } {
  const claims = createClaims();
  const wanted = chosen.flatMap((candidate) => {
    const served = last.get(candidate.key);
    const entry =
      candidate.entry === undefined || pinned.has(candidate.key) ? served : candidate.entry;
    if (entry === undefined) return [];
    const keeps = served !== undefined && claims.isSame(entry, served);
    return [{ candidate, entry: at(entry, candidate), keeps }];
  });
  const accepted = new Map<string, CatalogEntry>();
  const refused: Refused[] = [];
  const incumbentsFirst = wanted.toSorted((a, b) => Number(b.keeps) - Number(a.keeps));
  for (const { candidate, entry } of incumbentsFirst) {
    const taken = claims.claim(entry);
    if (taken === undefined) accepted.set(candidate.key, entry);
    else {
      const sentence = `${taken.what} by ${entryKey(taken.by)} in ${showOrigin(taken.by.origin)}`;
      const line = candidate.lineOf(taken.field);
      refused.push({
        key: candidate.key,
        problem: { file: candidate.origin.file, line, sentence },
      });
    }
  }
  const inOrder = chosen.flatMap(({ key }) => {
    const entry = accepted.get(key);
    return entry === undefined ? [] : ([[key, entry]] as const);
  });
  return { entries: new Map(inOrder), refused };
}

/** The entry where its document stands now: lines move without the object changing. */
function at(entry: CatalogEntry, { origin }: Candidate): CatalogEntry {
  const isThere = entry.origin.file === origin.file && entry.origin.line === origin.line;
  return isThere ? entry : { ...entry, origin };
}

function showOrigin({ file, line }: EntryOrigin): string {
  return `${file} line ${line}`;
}
