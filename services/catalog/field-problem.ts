// What is wrong with one field of a manifest, before file and line are known. Leaf types of the validators.

export type FieldPath = readonly (string | number)[];

export type FieldProblem = { readonly path: FieldPath; readonly sentence: string };

/** `spec.access[0].role`, as people write it. */
export function fieldName(path: FieldPath): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');
}

/** A problem whose sentence starts with the name of the field. */
export function fieldProblem(path: FieldPath, rest: string): FieldProblem {
  return { path, sentence: `${fieldName(path)} ${rest}` };
}

/** A value as a sentence shows it: quoted, and cut when long. */
export function showValue(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
