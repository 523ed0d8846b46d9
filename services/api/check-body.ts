// Checks a JSON body against its route's schema and says what is wrong in a sentence. The same schemas stand in
// openapi.json. Must stay true: a sentence never repeats a value, which may be a password.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { suggestName } from '#catalog/closest-name.ts';
import type { JsonSchema } from '#api/api-route.ts';

/** Returns the problem's sentence, or undefined for a body that fits. */
export type BodyCheck = (body: unknown) => string | undefined;

/** Reads the schema of schemas once, which is what takes time and memory. */
let compiler: Ajv | undefined;

/** Compiles the schema at its first body: a start waits for none. Stops at the first mistake of a body. */
export function createBodyCheck(schema: JsonSchema): BodyCheck {
  let validate: ValidateFunction | undefined;
  const { properties } = schema;
  const known =
    typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return (body) => {
    compiler ??= new Ajv({ strict: true, allowUnionTypes: true });
    validate ??= compiler.compile(schema);
    if (validate(body)) return undefined;
    const [error] = validate.errors ?? [];
    return error === undefined ? 'The body is not as described.' : sentenceOf(error, known);
  };
}

function sentenceOf(error: ErrorObject, known: readonly string[]): string {
  const { keyword, instancePath, message = 'is not as described' } = error;
  const params: Readonly<Record<string, unknown>> = error.params;
  const field = instancePath.slice(1).replaceAll('/', '.');
  const where = field === '' ? 'The body' : `"${field}"`;
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    return `"${name.slice(0, 100)}" is no field here${suggestName(name, known) || '.'}`;
  }
  if (keyword === 'required') return `The field "${String(params['missingProperty'])}" is missing.`;
  if (keyword === 'enum' && Array.isArray(params['allowedValues'])) {
    return `${where} must be one of ${params['allowedValues'].join(', ')}.`;
  }
  if (keyword === 'minProperties') return 'The body names nothing to change.';
  return `${where} ${message}.`;
}
