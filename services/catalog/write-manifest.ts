// What `warren apply` does to a folder: all objects of a text are checked against the present state, and then written,
// or none is. Called by directory-catalog.ts in its turn; an object that lives in a file already is replaced there.

import { isDeepStrictEqual } from 'node:util';
import { readManifest } from '#catalog/read-directory.ts';
import type { CatalogMemory } from '#catalog/catalog-memory.ts';
import { listCandidates } from '#catalog/catalog-memory.ts';
import type { CatalogProblem } from '#catalog/catalog.ts';
import { checkManifest } from '#catalog/check-manifest.ts';
import type { CheckedManifest } from '#catalog/check-manifest.ts';
import { readIdentity } from '#catalog/manifest-identity.ts';
import type { Identity } from '#catalog/manifest-identity.ts';
import { appendDocument, documentText, replaceDocument } from '#catalog/manifest-text.ts';
import { parseManifests } from '#catalog/parse-manifests.ts';
import type { ManifestDocument } from '#catalog/parse-manifests.ts';
import { planCatalog } from '#catalog/plan-catalog.ts';
import { writeFiles } from '#catalog/write-files.ts';

export type ApplyRequest = {
  readonly text: string;
  /** What problems call the text: the name of the person's file. */
  readonly file: string;
};

export type AppliedObject = Identity & {
  readonly result: 'created' | 'configured' | 'unchanged';
  /** The file of the catalog it is in. */
  readonly file: string;
};

export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly objects: readonly AppliedObject[] }
  | { readonly kind: 'refused'; readonly problems: readonly CatalogProblem[] };

type Wanted = { readonly identity: Identity; readonly document: ManifestDocument };

/**
 * @param memory what the catalog of this directory knows now.
 * @throws CATALOG_UNWRITABLE when the files cannot be written.
 */
export async function applyManifests(
  directory: string,
  memory: CatalogMemory,
  { text, file }: ApplyRequest,
): Promise<ApplyOutcome> {
  const parsed = parseManifests(file, text);
  if (parsed.kind === 'unparsable') return { kind: 'refused', problems: parsed.problems };
  const { documents } = parsed;
  const problems = checkAll(documents, memory);
  if (documents.length === 0)
    problems.push({ file, line: 1, sentence: 'there is no manifest in it' });
  if (problems.length > 0) return { kind: 'refused', problems };
  const texts = new Map<string, string>();
  const objects: AppliedObject[] = [];
  for (const document of documents) {
    const { identity } = readIdentity(document.value);
    if (identity === undefined) continue; // checkAll has refused these.
    const wanted = { identity, document };
    const body = documentText(text, document.offset);
    const edit = await editFile({ directory, memory, texts }, wanted, body);
    if (edit.kind === 'refused') return edit;
    if (edit.result !== 'unchanged') texts.set(edit.file, edit.text);
    objects.push({ ...identity, result: edit.result, file: edit.file });
  }
  await writeFiles(directory, texts);
  return { kind: 'applied', objects };
}

/** Every problem of the text: of each document by itself, then of all beside what serves. */
function checkAll(documents: readonly ManifestDocument[], memory: CatalogMemory): CatalogProblem[] {
  const checked = documents.map((document) => ({
    document,
    manifest: checkManifest(document, (key) => memory.entries.get(key)),
  }));
  const wanted = checked.flatMap(({ document, manifest }) => candidateOf(manifest, document));
  const keys = new Set(wanted.map(({ key }) => key));
  const others = listCandidates(memory.files).filter(({ key }) => !keys.has(key));
  const { refused } = planCatalog([...others, ...wanted], memory.entries);
  return [
    ...checked.flatMap(({ manifest }) => (manifest.kind === 'good' ? [] : manifest.problems)),
    ...refused.filter(({ key }) => keys.has(key)).map(({ problem }) => problem),
  ].toSorted((a, b) => a.line - b.line);
}

function candidateOf(manifest: CheckedManifest, document: ManifestDocument) {
  if (manifest.kind !== 'good') return [];
  const { identity, origin, entry } = manifest;
  return [{ key: identity.key, origin, entry, lineOf: document.lineOf.bind(document) }];
}

type Folder = {
  readonly directory: string;
  readonly memory: CatalogMemory;
  /** Files as this apply has changed them so far. */
  readonly texts: ReadonlyMap<string, string>;
};

type Edit =
  | { readonly kind: 'refused'; readonly problems: readonly CatalogProblem[] }
  | {
      readonly kind: 'edited';
      readonly file: string;
      readonly text: string;
      readonly result: AppliedObject['result'];
    };

async function editFile(folder: Folder, wanted: Wanted, body: string): Promise<Edit> {
  const { identity, document } = wanted;
  const refuse = (sentence: string): Edit => ({
    kind: 'refused',
    problems: [{ file: document.file, line: document.line, sentence }],
  });
  const file = homeOf(folder.memory, identity) ?? fileNameOf(identity);
  const before = folder.texts.get(file) ?? (await readText(folder.directory, file));
  const parsed = parseManifests(file, before ?? '');
  if (before === undefined || parsed.kind === 'unparsable') {
    return refuse(
      `it belongs into ${file}, which cannot be read as it is: correct that file first`,
    );
  }
  const present = parsed.documents.find((other) => keyOf(other) === identity.key);
  if (present !== undefined && isDeepStrictEqual(present.value, document.value)) {
    return { kind: 'edited', file, text: before, result: 'unchanged' };
  }
  const addition = file.endsWith('.json') ? JSON.stringify(document.value, null, 2) : body;
  const after =
    present === undefined
      ? appendDocument(before, addition)
      : replaceDocument(before, present.offset, addition);
  const others = parsed.documents.filter((other) => other !== present);
  if (!isExpected(parseManifests(file, after), others, wanted)) {
    return refuse(`${file} cannot be changed in place: write it by hand`);
  }
  const result = present === undefined ? 'created' : 'configured';
  return { kind: 'edited', file, text: after, result };
}

/** The edit is by text; that it did what was meant is checked by reading it again. */
function isExpected(
  parsed: ReturnType<typeof parseManifests>,
  others: readonly ManifestDocument[],
  { identity, document }: Wanted,
): boolean {
  if (parsed.kind === 'unparsable') return false;
  const isOwn = (other: ManifestDocument) => keyOf(other) === identity.key;
  const own = parsed.documents.find(isOwn);
  const rest = parsed.documents.filter((other) => other !== own);
  return (
    isDeepStrictEqual(own?.value, document.value) &&
    isDeepStrictEqual(
      rest.map(({ value }) => value),
      others.map(({ value }) => value),
    )
  );
}

function keyOf({ value }: ManifestDocument): string | undefined {
  return readIdentity(value).identity?.key;
}

/** The file an object is in already: the one that serves, else any that names it. */
function homeOf({ entries, files }: CatalogMemory, { key }: Identity): string | undefined {
  const served = entries.get(key)?.origin.file;
  return served ?? listCandidates(files).find((candidate) => candidate.key === key)?.origin.file;
}

/** Where a new object goes. */
function fileNameOf({ kind, namespace, name }: Identity): string {
  const suffix = kind === 'Repository' ? '' : `.${kind.toLowerCase()}`;
  return `${namespace}-${name}${suffix}.yaml`;
}

/** The text of a file, empty when there is none, undefined when it cannot be used. */
async function readText(directory: string, file: string): Promise<string | undefined> {
  const reading = await readManifest(directory, file);
  if (reading.kind === 'refused') return undefined;
  return reading.kind === 'text' ? reading.text : '';
}
