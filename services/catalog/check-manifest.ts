// One document → a catalog entry, or the problems that refuse it. Pure; called by catalog-memory.ts and apply.
// "Unknown" documents are those that do not even say which object they are.

import { assertNever } from '#kernel/assert-never.ts';
import type { CatalogEntry, EntryOrigin, RepositoryEntry } from '#model/catalog-entry.ts';
import { kindSchemas } from '#model/kinds.generated.ts';
import type { GitPoolSpec, RepositorySpec, SiteSpec } from '#model/kinds.generated.ts';
import { repositoryPathProblem } from '#model/repository-path.ts';
import { applySchema } from '#catalog/apply-schema.ts';
import type { CatalogProblem } from '#catalog/catalog.ts';
import { brokenRules, firstOfEachField } from '#catalog/evaluate-rules.ts';
import type { FieldProblem } from '#catalog/field-problem.ts';
import { readIdentity } from '#catalog/manifest-identity.ts';
import type { Identity } from '#catalog/manifest-identity.ts';
import type { ManifestDocument } from '#catalog/parse-manifests.ts';

export type CheckedManifest =
  | {
      readonly kind: 'good';
      readonly identity: Identity;
      readonly origin: EntryOrigin;
      readonly entry: CatalogEntry;
    }
  | {
      readonly kind: 'bad';
      readonly identity: Identity;
      readonly origin: EntryOrigin;
      readonly problems: readonly CatalogProblem[];
    }
  | { readonly kind: 'unknown'; readonly problems: readonly CatalogProblem[] };

/** @param lastGood the served entry of a key, which transition rules compare with. */
export function checkManifest(
  document: ManifestDocument,
  lastGood: (key: string) => CatalogEntry | undefined,
): CheckedManifest {
  const locate = ({ path, sentence }: FieldProblem): CatalogProblem => ({
    file: document.file,
    line: document.lineOf(path),
    sentence,
  });
  const read = readIdentity(document.value);
  if (read.identity === undefined) return { kind: 'unknown', problems: read.problems.map(locate) };
  const { identity } = read;
  const origin = { file: document.file, line: document.line };
  const old = lastGood(identity.key);
  const { spec, problems } = checkSpec(document.value, identity, old?.spec);
  const all = [...read.problems, ...problems];
  if (all.length > 0) return { kind: 'bad', identity, origin, problems: all.map(locate) };
  const entry = buildEntry(identity, spec, origin);
  const refusal = entry.kind === 'Repository' ? checkPath(entry) : undefined;
  if (refusal === undefined) return { kind: 'good', identity, origin, entry };
  return { kind: 'bad', identity, origin, problems: [locate(refusal)] };
}

/** The rules of the schema do not see the namespace, which is part of the path when none is given. */
function checkPath({ path, spec }: RepositoryEntry): FieldProblem | undefined {
  const problem = repositoryPathProblem(path);
  if (problem === undefined) return undefined;
  const field = spec.path === undefined ? ['metadata', 'namespace'] : ['spec', 'path'];
  return { path: field, sentence: `the path ${path} is not possible: ${problem}` };
}

function checkSpec(
  document: unknown,
  { kind, name }: Identity,
  oldSpec: unknown,
): { spec: unknown; problems: readonly FieldProblem[] } {
  const schema = kindSchemas[kind];
  // readIdentity has seen that it is a map; the root of a schema knows only spec, as the rest is the envelope's.
  const { spec } = document as { spec?: unknown };
  const applied = applySchema(schema, spec === undefined ? {} : { spec }, []);
  const self = { metadata: { name }, ...(applied.value as { spec?: unknown }) };
  const values = {
    self,
    old: oldSpec === undefined ? undefined : { metadata: { name }, spec: oldSpec },
    path: [],
  };
  const rules = firstOfEachField(brokenRules(schema, values, applied.problems));
  return { spec: self.spec, problems: [...applied.problems, ...rules.map(nameRoot)] };
}

/** Rules on the whole object speak of its name. */
function nameRoot(problem: FieldProblem): FieldProblem {
  if (problem.path.length > 0) return problem;
  return { path: ['metadata', 'name'], sentence: `metadata.name: ${problem.sentence}` };
}

function buildEntry(identity: Identity, spec: unknown, origin: EntryOrigin): CatalogEntry {
  const { kind, namespace, name } = identity;
  switch (kind) {
    case 'Repository': {
      const id = `${namespace}/${name}`;
      const repository = spec as RepositorySpec; // Checked by the schema this type is generated from.
      return { kind, namespace, name, id, path: repository.path ?? id, spec: repository, origin };
    }
    case 'Site':
      return { kind, namespace, name, spec: spec as SiteSpec, origin }; // As above.
    case 'GitPool':
      return { kind, namespace, name, spec: spec as GitPoolSpec, origin }; // As above.
    default:
      return assertNever(kind);
  }
}
