// The OpenAPI 3.1 document, built from the routes themselves. Served as /api/v1/openapi.json. Pure.

import { errorCatalogue } from '#kernel/error-catalogue.ts';
import type { JsonSchema, Route } from '#api/api-route.ts';
import { defaultPageItems, maxPageItems } from '#api/paging.ts';
import { answerRef, answerSchemas } from '#api/schemas.ts';

export function buildOpenApi(routes: readonly Route[]): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = buildOperation(route);
  return {
    openapi: '3.1.0',
    info: { title: 'Warren', version: 'v1', description: 'The API of the Warren Git forge.' },
    servers: [{ url: '/api/v1' }],
    paths,
    components: {
      schemas: answerSchemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token: wrn_…' },
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'A token as password, or an account with its password.',
        },
      },
    },
  };
}

function buildOperation(route: Route): JsonSchema {
  const { operationId, summary, who, body, success, method } = route;
  const schemes = [{ bearer: [] }, { basic: [] }];
  const { status, text, schema } = success;
  const answer = { description: text, ...(schema !== undefined && content(schema)) };
  const problems = problemStatuses(route).map((code) => [String(code), problemAnswer(code)]);
  return {
    operationId,
    summary: who === 'operator' ? `${summary} For operators.` : summary,
    security: who === 'anyone' ? [{}, ...schemes] : schemes,
    parameters: [...pathParameters(route.path), ...(route.isList === true ? listParameters : [])],
    ...(body !== undefined && { requestBody: buildRequestBody(body) }),
    responses: { [status]: answer, ...Object.fromEntries(problems) },
    ...(method !== 'get' && { 'x-warren-limit': 'api_rate' }),
  };
}

/** Those of every route of its kind, and its own. */
function problemStatuses({ who, body, method, problems = [], isList }: Route): number[] {
  const statuses = new Set<number>([401, 503, ...problems]);
  if (who !== 'anyone' || method !== 'get') statuses.add(403);
  if (body !== undefined) for (const status of [400, 413, 415]) statuses.add(status);
  if (isList === true) statuses.add(400);
  if (method !== 'get') statuses.add(429);
  return [...statuses].sort((a, b) => a - b);
}

function problemAnswer(status: number): JsonSchema {
  const entry = Object.values(errorCatalogue).find(({ http }) => http === status);
  const description =
    status === 429 ? 'Too many at once, or too fast' : (entry?.message ?? 'Refused');
  return { description, ...content(answerRef('Problem'), 'application/problem+json') };
}

function buildRequestBody(body: NonNullable<Route['body']>): JsonSchema {
  const described =
    body.type === 'json' ? content(body.schema) : content({ type: 'string' }, 'text/yaml');
  return { required: true, ...described };
}

function content(schema: JsonSchema, type = 'application/json'): JsonSchema {
  return { content: { [type]: { schema } } };
}

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

const listParameters: readonly JsonSchema[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'How many items at most.',
    schema: { type: 'integer', minimum: 1, maximum: maxPageItems, default: defaultPageItems },
  },
  {
    name: 'cursor',
    in: 'query',
    description: '`next` of the page before.',
    schema: { type: 'string' },
  },
];
