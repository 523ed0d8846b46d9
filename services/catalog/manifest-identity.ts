// The envelope of a manifest: apiVersion, kind and metadata. First half of check-manifest.ts; pure.

import type { CatalogEntry, Kind } from '#model/catalog-entry.ts';
import { kindSchemas } from '#model/kinds.generated.ts';
import { isMapValue, oneOf } from '#catalog/apply-schema.ts';
import { suggestName } from '#catalog/closest-name.ts';
import { fieldProblem, showValue } from '#catalog/field-problem.ts';
import type { FieldPath, FieldProblem } from '#catalog/field-problem.ts';

export type Identity = {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  /** `Repository default/demo`: unique in a catalog. */
  readonly key: string;
};

export type IdentityResult = {
  /** Undefined when the document does not say which object it is. */
  readonly identity: Identity | undefined;
  readonly problems: readonly FieldProblem[];
};

const apiVersion = 'warren.dev/v1alpha1';
const kinds = Object.keys(kindSchemas) as readonly Kind[]; // The keys of a record of kinds.
// status is what `kubectl get -o yaml` prints beside spec; it is read by nobody.
const topFields = ['apiVersion', 'kind', 'metadata', 'spec', 'status'];
const metadataFields = [
  'name',
  'namespace',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
];

/** The key of an entry, as Identity has it. */
export function entryKey({ kind, namespace, name }: CatalogEntry): string {
  return `${kind} ${namespace}/${name}`;
}

/** Which object a document is, and every problem of its envelope. */
export function readIdentity(value: unknown): IdentityResult {
  if (!isMapValue(value)) {
    const sentence = `a manifest is a map with apiVersion, kind, metadata and spec, not ${showValue(value)}`;
    return { identity: undefined, problems: [{ path: [], sentence }] };
  }
  const unknown = unknownFields(value, topFields, []);
  const kind = readKind(value);
  const { namespace, name, problems } = readMetadata(value['metadata']);
  const all = [...readApiVersion(value), ...kind.problems, ...problems, ...unknown];
  if (kind.kind === undefined || name === undefined || namespace === undefined) {
    return { identity: undefined, problems: all };
  }
  const key = `${kind.kind} ${namespace}/${name}`;
  return { identity: { kind: kind.kind, namespace, name, key }, problems: all };
}

function readApiVersion(value: Readonly<Record<string, unknown>>): readonly FieldProblem[] {
  const given = value['apiVersion'];
  if (given === apiVersion) return [];
  const rest =
    given === undefined ? 'is missing' : `must be ${apiVersion}, not ${showValue(given)}`;
  return [fieldProblem(['apiVersion'], rest)];
}

function readKind(value: Readonly<Record<string, unknown>>): {
  kind: Kind | undefined;
  problems: readonly FieldProblem[];
} {
  const given = value['kind'];
  const kind = kinds.find((known) => known === given);
  if (kind !== undefined) return { kind, problems: [] };
  if (given === undefined) return { kind, problems: [fieldProblem(['kind'], 'is missing')] };
  const suggestion = typeof given === 'string' ? suggestName(given, kinds) : '';
  const rest = `must be ${oneOf(kinds)}, not ${showValue(given)}${suggestion}`;
  return { kind, problems: [fieldProblem(['kind'], rest)] };
}

function readMetadata(metadata: unknown): {
  namespace: string | undefined;
  name: string | undefined;
  problems: readonly FieldProblem[];
} {
  if (!isMapValue(metadata)) {
    const rest =
      metadata === undefined ? 'is missing' : `must be a map, not ${showValue(metadata)}`;
    return { namespace: undefined, name: undefined, problems: [fieldProblem(['metadata'], rest)] };
  }
  const name = readName(metadata['name'], ['metadata', 'name'], subdomain);
  const namespace = readName(metadata['namespace'] ?? 'default', ['metadata', 'namespace'], label);
  const problems = [
    ...name.problems,
    ...namespace.problems,
    ...unknownFields(metadata, metadataFields, ['metadata']),
    ...['labels', 'annotations'].flatMap((field) => textMapProblems(metadata[field], field)),
  ];
  return { namespace: namespace.value, name: name.value, problems };
}

type NameRule = { readonly pattern: RegExp; readonly maxChars: number; readonly text: string };
const label: NameRule = {
  pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  maxChars: 63,
  text: 'lower-case letters, digits and "-", and start and end with a letter or digit',
};
const subdomain: NameRule = {
  pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  maxChars: 253,
  text: 'lower-case letters, digits, "-" and ".", and start and end with a letter or digit',
};

function readName(
  value: unknown,
  path: FieldPath,
  rule: NameRule,
): { value: string | undefined; problems: readonly FieldProblem[] } {
  const refuse = (rest: string) => ({ value: undefined, problems: [fieldProblem(path, rest)] });
  if (value === undefined) return refuse('is missing');
  if (typeof value !== 'string') return refuse(`must be text, not ${showValue(value)}`);
  if (value.length > rule.maxChars) return refuse(`must have at most ${rule.maxChars} characters`);
  if (!rule.pattern.test(value)) return refuse(`must hold ${rule.text}, not ${showValue(value)}`);
  return { value, problems: [] };
}

function textMapProblems(value: unknown, field: string): readonly FieldProblem[] {
  if (value === undefined || value === null) return [];
  if (!isMapValue(value)) {
    return [fieldProblem(['metadata', field], `must be a map, not ${showValue(value)}`)];
  }
  return Object.entries(value)
    .filter(([, item]) => typeof item !== 'string')
    .map(([name, item]) =>
      fieldProblem(['metadata', field, name], `must be text, not ${showValue(item)}`),
    );
}

function unknownFields(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: FieldPath,
): readonly FieldProblem[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => fieldProblem([...path, name], `is no known field${suggestName(name, known)}`));
}
