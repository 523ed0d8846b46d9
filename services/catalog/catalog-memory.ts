// What the catalog knows: per file what it last contributed, and the objects that serve. Pure: readings in, memory out.
// Must stay true: a bad document or file takes nothing away that served; a document or file that is gone does.

import type { CatalogEntry, EntryOrigin } from '#model/catalog-entry.ts';
import type { CatalogProblem, CatalogState } from '#catalog/catalog.ts';
import { checkManifest } from '#catalog/check-manifest.ts';
import type { FieldPath } from '#catalog/field-problem.ts';
import { parseManifests } from '#catalog/parse-manifests.ts';
import type { ManifestDocument } from '#catalog/parse-manifests.ts';
import { planCatalog } from '#catalog/plan-catalog.ts';
import type { Candidate } from '#catalog/plan-catalog.ts';

/** What became of a file since it was last read. */
export type FileReading =
  | { readonly kind: 'text'; readonly text: string }
  /** It is there and cannot be used: too large, not readable. */
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'gone' };

type FileMemory = {
  /** Kept only of files with problems, which may go when something else changes. */
  readonly recheck: readonly ManifestDocument[];
  readonly candidates: readonly Candidate[];
  readonly problems: readonly CatalogProblem[];
};

export type CatalogMemory = {
  readonly files: ReadonlyMap<string, FileMemory>;
  /** What serves, by key. */
  readonly entries: ReadonlyMap<string, CatalogEntry>;
  readonly problems: readonly CatalogProblem[];
};

export const emptyCatalogMemory: CatalogMemory = {
  files: new Map(),
  entries: new Map(),
  problems: [],
};

/** The memory after some files were read anew; the others are as they were. */
export function advanceCatalog(
  memory: CatalogMemory,
  readings: ReadonlyMap<string, FileReading>,
): CatalogMemory {
  const files = new Map(memory.files);
  const lastGood = (key: string) => memory.entries.get(key);
  for (const [file, known] of memory.files) {
    // A refused change may be fine by now, because what it was compared with has changed.
    if (readings.has(file) || known.recheck.length === 0) continue;
    files.set(file, checkDocuments(known.recheck, known, lastGood));
  }
  for (const [file, reading] of readings) {
    const next = readFileMemory(file, reading, memory.files.get(file), lastGood);
    if (next === undefined) files.delete(file);
    else files.set(file, next);
  }
  const contributions = [...files.values()];
  const plan = planCatalog(listCandidates(files), memory.entries);
  const problems = [
    ...contributions.flatMap((file) => file.problems),
    ...plan.refused.map(({ problem }) => problem),
  ];
  return { files, entries: plan.entries, problems: problems.toSorted(byPlace) };
}

/** What all files name, in the order in which newcomers win. */
export function listCandidates(files: CatalogMemory['files']): readonly Candidate[] {
  const candidates = [...files.values()].flatMap((file) => file.candidates);
  return candidates.toSorted((a, b) => byPlace(a.origin, b.origin));
}

function readFileMemory(
  file: string,
  reading: FileReading,
  known: FileMemory | undefined,
  lastGood: (key: string) => CatalogEntry | undefined,
): FileMemory | undefined {
  if (reading.kind === 'gone') return undefined;
  const keep = (problems: readonly CatalogProblem[]): FileMemory => ({
    recheck: [],
    candidates: known?.candidates ?? [],
    problems,
  });
  if (reading.kind === 'refused') return keep([{ file, line: 1, sentence: reading.sentence }]);
  const parsed = parseManifests(file, reading.text);
  if (parsed.kind === 'unparsable') return keep(parsed.problems);
  return checkDocuments(parsed.documents, known, lastGood);
}

function checkDocuments(
  documents: readonly ManifestDocument[],
  known: FileMemory | undefined,
  lastGood: (key: string) => CatalogEntry | undefined,
): FileMemory {
  const checked = documents.map((document) => ({
    ...checkManifest(document, lastGood),
    lineOf: (path: FieldPath) => document.lineOf(path),
  }));
  const candidates = checked.flatMap((manifest): Candidate[] => {
    if (manifest.kind === 'unknown') return [];
    const { origin, lineOf } = manifest;
    const entry = manifest.kind === 'good' ? manifest.entry : undefined;
    return [{ key: manifest.identity.key, origin, entry, lineOf }];
  });
  const problems = checked.flatMap((manifest) =>
    manifest.kind === 'good' ? [] : manifest.problems,
  );
  // A document that no longer says what it is may be any of those this file named before: they stay.
  const isOneUnknown = checked.some(({ kind }) => kind === 'unknown');
  const named = new Set(candidates.map(({ key }) => key));
  const kept = isOneUnknown
    ? (known?.candidates ?? []).filter(({ key }) => !named.has(key) && lastGood(key) !== undefined)
    : [];
  const recheck = problems.length > 0 ? documents : [];
  return { recheck, candidates: [...candidates, ...kept], problems };
}

function byPlace(a: EntryOrigin, b: EntryOrigin): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}

/** The memory as the rest of the program sees it. */
export function buildCatalogState(
  { entries, problems }: CatalogMemory,
  more: readonly CatalogProblem[] = [],
): CatalogState {
  const all = [...entries.values()];
  const repositories = all.filter((entry) => entry.kind === 'Repository');
  return {
    repositories: new Map(repositories.map((entry) => [entry.path, entry])),
    sites: all.filter((entry) => entry.kind === 'Site'),
    pools: all.filter((entry) => entry.kind === 'GitPool'),
    problems: [...more, ...problems],
  };
}
