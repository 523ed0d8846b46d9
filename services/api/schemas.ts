// The JSON schemas of what the api answers, by name; openapi.ts puts them into the document, routes refer to them.

import type { JsonSchema } from '#api/api-route.ts';

const text = { type: 'string' };
const flag = { type: 'boolean' };
const time = { type: 'string', format: 'date-time' };
const nullable = (type: string) => ({ type: [type, 'null'] });
const listOfText = { type: 'array', items: text };

/** An object all of whose fields are always there. */
function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

export const answerSchemas = {
  Problem: object(
    { type: text, title: text, status: { type: 'integer' }, code: text, detail: text },
    ['detail'],
  ),
  ManifestProblem: object({ file: text, line: { type: 'integer' }, sentence: text }, ['file']),
  User: object({ name: text, operator: flag, groups: listOfText, readOnly: flag }),
  Repository: object(
    {
      namespace: text,
      name: text,
      path: text,
      description: text,
      visibility: { type: 'string', enum: ['public', 'internal', 'private'] },
      defaultBranch: text,
      archived: flag,
      role: { type: 'string', enum: ['read', 'triage', 'write', 'admin'] },
      url: object({ http: text, ssh: text }),
      state: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['ready', 'preparing', 'suspended', 'failed'] },
        },
        required: ['kind'],
      },
    },
    ['description'],
  ),
  Site: object(
    {
      namespace: text,
      name: text,
      repository: text,
      ref: text,
      directory: text,
      hosts: listOfText,
      access: { type: 'string', enum: ['repository', 'public'] },
    },
    ['ref', 'directory'],
  ),
  Account: object({
    name: text,
    operator: flag,
    disabled: flag,
    groups: listOfText,
    hasPassword: flag,
    createdAt: time,
  }),
  Token: object({
    id: text,
    name: text,
    readOnly: flag,
    createdAt: time,
    expiresAt: { ...time, ...nullable('string') },
  }),
  CreatedToken: object({
    id: text,
    name: text,
    readOnly: flag,
    createdAt: time,
    expiresAt: { ...time, ...nullable('string') },
    token: { type: 'string', pattern: '^wrn_[A-Za-z0-9]{40}$', description: 'Shown this once.' },
  }),
  Key: object({ id: text, title: text, type: text, fingerprint: text, createdAt: time }),
  Applied: object({
    objects: {
      type: 'array',
      items: object({
        kind: text,
        namespace: text,
        name: text,
        outcome: { type: 'string', enum: ['created', 'configured', 'unchanged'] },
      }),
    },
  }),
  Limit: object({
    name: text,
    bounds: text,
    unit: text,
    limit: nullable('number'),
    inUse: nullable('number'),
    waiting: nullable('number'),
    refused: { type: 'integer' },
    mode: { type: 'string', enum: ['enforce', 'shadow'] },
  }),
  Import: object({
    id: text,
    repository: text,
    state: { type: 'string', enum: ['running', 'done', 'failed'] },
    phase: text,
    percent: nullable('number'),
    sentence: nullable('string'),
  }),
} as const satisfies Record<string, JsonSchema>;

export type AnswerSchemaName = keyof typeof answerSchemas;

export function answerRef(name: AnswerSchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function listRef(name: AnswerSchemaName): JsonSchema {
  return {
    type: 'object',
    properties: { items: { type: 'array', items: answerRef(name) }, next: nullable('string') },
    required: ['items', 'next'],
  };
}

/** A body: an object of these fields and no others. */
export function bodySchema(
  properties: Readonly<Record<string, JsonSchema>>,
  rules: JsonSchema = {},
): JsonSchema {
  return { type: 'object', properties, additionalProperties: false, ...rules };
}
