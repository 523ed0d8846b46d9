// The CEL rules of a schema, evaluated as the API server would: on the value with its defaults, transition rules
// (those that name oldSelf) against the last good value of the same field. Called after applySchema.

import { Environment } from '@marcbachmann/cel-js';
import { messageOf } from '#kernel/forge-error.ts';
import { parseBytes } from '#kernel/units.ts';
import type { FieldSchema, SchemaRule } from '#model/kind-schema.ts';
import { isMapValue } from '#catalog/apply-schema.ts';
import { fieldName } from '#catalog/field-problem.ts';
import type { FieldPath, FieldProblem } from '#catalog/field-problem.ts';

type Rule = (variables: Readonly<Record<string, unknown>>) => unknown;

/** Values of one field: `old` is undefined when there is none to compare with. */
type Values = { readonly self: unknown; readonly old: unknown; readonly path: FieldPath };

/** A size as Kubernetes' quantity library has it. */
class Quantity {
  readonly amount: number;
  constructor(text: string) {
    const amount = parseBytes(text);
    if (amount === undefined) throw new TypeError(`${text} is no quantity`);
    this.amount = amount;
  }
}

const compiled = new Map<string, Rule>(); // Bounded: rules come from the generated schemas only.
let environment: Environment | undefined;

/** A rule as a function. @throws when the text is no CEL that this evaluator knows. */
export function compileRule(rule: string): Rule {
  environment ??= new Environment()
    .registerVariable('self', 'dyn')
    .registerVariable('oldSelf', 'dyn')
    .registerType('Quantity', Quantity)
    .registerFunction('quantity(string): Quantity', (text: string) => new Quantity(text))
    .registerFunction('Quantity.compareTo(Quantity): int', (a: Quantity, b: Quantity) =>
      BigInt(Math.sign(a.amount - b.amount)),
    );
  const known = compiled.get(rule) ?? environment.parse(rule);
  compiled.set(rule, known);
  return known;
}

/**
 * The sentences of all rules that do not hold, in the schema's order.
 * @param broken fields that applySchema refused: rules over them are skipped.
 */
export function brokenRules(
  schema: FieldSchema,
  values: Values,
  broken: readonly FieldProblem[] = [],
): readonly FieldProblem[] {
  const own = isBroken(values.path, broken)
    ? []
    : (schema['x-kubernetes-validations'] ?? []).flatMap((rule) => checkRule(rule, values));
  return [
    ...own,
    ...children(schema, values).flatMap((child) => brokenRules(child.schema, child, broken)),
  ];
}

/** One broken rule a field is enough: the second is often only a consequence. */
export function firstOfEachField(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ path }) => {
    const name = fieldName(path);
    return seen.has(name) ? false : seen.add(name);
  });
}

function checkRule(rule: SchemaRule, { self, old, path }: Values): readonly FieldProblem[] {
  const isTransition = /\boldSelf\b/.test(rule.rule);
  if (isTransition && old === undefined) return [];
  const at = rule.fieldPath === undefined ? path : [...path, ...rule.fieldPath.slice(1).split('.')];
  const where = at.length === 0 ? '' : `${fieldName(at)}: `;
  try {
    const variables = { self: toCel(self), ...(isTransition && { oldSelf: toCel(old) }) };
    if (compileRule(rule.rule)(variables) === true) return [];
    return [{ path: at, sentence: `${where}${rule.message}` }];
  } catch (error) {
    return [{ path: at, sentence: `${where}${rule.message} (${messageOf(error)})` }];
  }
}

function isBroken(path: FieldPath, broken: readonly FieldProblem[]): boolean {
  return broken.some((problem) => path.every((step, at) => problem.path[at] === step));
}

type Child = Values & { readonly schema: FieldSchema };

function children(schema: FieldSchema, { self, old, path }: Values): readonly Child[] {
  if (Array.isArray(self)) {
    // Items are not matched with old ones: no transition rule stands inside a list.
    const { items } = schema;
    if (items === undefined) return [];
    return self.map((item: unknown, at) => ({
      schema: items,
      self: item,
      old: undefined,
      path: [...path, at],
    }));
  }
  if (!isMapValue(self)) return [];
  const before = isMapValue(old) ? old : {};
  return Object.entries(self).flatMap(([name, value]) => {
    const field = schema.properties?.[name] ?? schema.additionalProperties;
    if (field === undefined) return [];
    return [{ schema: field, self: value, old: before[name], path: [...path, name] }];
  });
}

/** Numbers of manifests are whole, and CEL's whole numbers are bigints. */
function toCel(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(toCel);
  if (!isMapValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toCel(item)]));
}
