// A value checked against a structural schema: every problem with its field, and the value with defaults filled in.
// Own, not ajv: its messages speak of keywords and pointers, and it knows neither list maps nor "did you mean".
// Must stay true: what passes here passes the same CRD in a cluster (null with a default counts as absent there too).

import type { FieldSchema } from '#model/kind-schema.ts';
import { suggestName } from '#catalog/closest-name.ts';
import { fieldProblem, showValue } from '#catalog/field-problem.ts';
import type { FieldPath, FieldProblem } from '#catalog/field-problem.ts';

export type SchemaResult = {
  /** The value with defaults; meaningful only where there are no problems. */
  readonly value: unknown;
  readonly problems: readonly FieldProblem[];
};

/** Checks `value` at `path`; problems come in the order of the document. */
export function applySchema(schema: FieldSchema, value: unknown, path: FieldPath): SchemaResult {
  if (value === null) return { value, problems: [fieldProblem(path, 'has no value')] };
  if (schema['x-kubernetes-int-or-string'] === true) return checkIntOrString(schema, value, path);
  switch (schema.type) {
    case 'object':
      return applyObject(schema, value, path);
    case 'array':
      return applyArray(schema, value, path);
    case 'string':
      return checked(value, path, stringProblem(schema, value));
    case 'integer':
      return checked(value, path, integerProblem(schema, value));
    case 'boolean':
    case undefined:
    default: {
      const isWrong = schema.type === 'boolean' && typeof value !== 'boolean';
      return checked(
        value,
        path,
        isWrong ? `must be true or false, not ${showValue(value)}` : undefined,
      );
    }
  }
}

function checked(value: unknown, path: FieldPath, problem: string | undefined): SchemaResult {
  return { value, problems: problem === undefined ? [] : [fieldProblem(path, problem)] };
}

function stringProblem(schema: FieldSchema, value: unknown): string | undefined {
  if (typeof value !== 'string') {
    const hint =
      typeof value === 'number' || typeof value === 'boolean' ? ' (put it into quotes)' : '';
    return `must be text, not ${showValue(value)}${hint}`;
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const suggestion = suggestName(value, schema.enum);
    return `must be ${oneOf(schema.enum)}, not ${showValue(value)}${suggestion}`;
  }
  if (value.length < (schema.minLength ?? 0)) return 'must not be empty';
  if (value.length > (schema.maxLength ?? Infinity)) {
    return `must have at most ${schema.maxLength} characters`;
  }
  return patternProblem(schema, value);
}

function patternProblem(schema: FieldSchema, value: string): string | undefined {
  if (schema.pattern === undefined || new RegExp(schema.pattern).test(value)) return undefined;
  return `must be of the form ${schema.pattern}, not ${showValue(value)}`;
}

function integerProblem(schema: FieldSchema, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return `must be a whole number, not ${showValue(value)}`;
  }
  if (value < (schema.minimum ?? -Infinity)) return `must be at least ${schema.minimum}`;
  if (value > (schema.maximum ?? Infinity)) return `must be at most ${schema.maximum}`;
  return undefined;
}

function checkIntOrString(schema: FieldSchema, value: unknown, path: FieldPath): SchemaResult {
  if (typeof value === 'string') return checked(value, path, patternProblem(schema, value));
  const isInteger = typeof value === 'number' && Number.isSafeInteger(value);
  return checked(
    value,
    path,
    isInteger ? undefined : `must be a whole number or text, not ${showValue(value)}`,
  );
}

function applyArray(schema: FieldSchema, value: unknown, path: FieldPath): SchemaResult {
  if (!Array.isArray(value)) {
    return checked(value, path, `must be a list, not ${showValue(value)}`);
  }
  if (value.length > (schema.maxItems ?? Infinity)) {
    return checked(value, path, `must have at most ${schema.maxItems} items`);
  }
  const results = value.map((item: unknown, at) =>
    applySchema(schema.items ?? {}, item, [...path, at]),
  );
  const items = results.map((result) => result.value);
  const problems = results.flatMap((result) => result.problems);
  return { value: items, problems: [...problems, ...repeatedItems(schema, items, path)] };
}

function repeatedItems(
  schema: FieldSchema,
  items: readonly unknown[],
  path: FieldPath,
): FieldProblem[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  return items.flatMap((item, at) => {
    const value = isMapValue(item) ? keys.map((key) => item[key]) : item;
    const identity = JSON.stringify(value);
    if (!seen.has(identity)) {
      seen.add(identity);
      return [];
    }
    const shown = Array.isArray(value) ? value.map(showValue).join(', ') : showValue(value);
    return [fieldProblem([...path, at], `repeats ${shown}, which is in the list already`)];
  });
}

function applyObject(schema: FieldSchema, value: unknown, path: FieldPath): SchemaResult {
  if (!isMapValue(value)) return checked(value, path, `must be a map, not ${showValue(value)}`);
  const given = Object.entries(value).filter(
    ([name, item]) => !isDefaulted(schema.properties?.[name], item),
  );
  if (given.length > (schema.maxProperties ?? Infinity)) {
    return checked(value, path, `must have at most ${schema.maxProperties} fields`);
  }
  const results = [
    ...given.map(([name, item]) => applyGiven(schema, item, [...path, name])),
    ...absentFields(schema, value).map((name) => applyAbsent(schema, [...path, name])),
  ];
  return {
    value: Object.fromEntries(results.flatMap((result) => result.fields)),
    problems: results.flatMap((result) => result.problems),
  };
}

type FieldResult = {
  readonly fields: readonly [string, unknown][];
  readonly problems: readonly FieldProblem[];
};

function applyGiven(schema: FieldSchema, item: unknown, path: FieldPath): FieldResult {
  const name = String(path.at(-1));
  const known = schema.properties ?? {};
  const field = Object.hasOwn(known, name) ? known[name] : schema.additionalProperties;
  if (field === undefined) {
    const suggestion = suggestName(name, Object.keys(known));
    return { fields: [], problems: [fieldProblem(path, `is no known field${suggestion}`)] };
  }
  const { value, problems } = applySchema(field, item, path);
  return { fields: [[name, value]], problems };
}

/** Fields of the schema that the value lacks, or gives as null although they have a default. */
function absentFields(
  { properties = {} }: FieldSchema,
  value: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(properties).filter(
    (name) => !Object.hasOwn(value, name) || isDefaulted(properties[name], value[name]),
  );
}

function isDefaulted(field: FieldSchema | undefined, value: unknown): boolean {
  return value === null && field?.default !== undefined;
}

function applyAbsent(schema: FieldSchema, path: FieldPath): FieldResult {
  const name = String(path.at(-1));
  const field = schema.properties?.[name];
  if (field?.default !== undefined) {
    return { fields: [[name, applySchema(field, field.default, path).value]], problems: [] };
  }
  const isMissing = schema.required?.includes(name) === true;
  return { fields: [], problems: isMissing ? [fieldProblem(path, 'is missing')] : [] };
}

/** True for a map of a manifest, with text keys. */
export function isMapValue(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `public, internal or private`. */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
