// The one place that turns refusals and errors of the api into bytes: problem+json (RFC 9457). Must stay true: the body
// holds nothing of the request, so that hidden and absent are the same bytes, and nothing of the server's inside.

import type { ServerResponse } from 'node:http';
import { type Refusal, refusalHeaders, refusalStatus } from '#admission/refusal.ts';
import { type ErrorCode, errorCatalogue } from '#kernel/error-catalogue.ts';
import { isForgeError } from '#kernel/forge-error.ts';

export type Problem = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly code: string;
    readonly detail?: string;
    readonly [more: string]: unknown;
  };
};

export function buildProblem(
  code: ErrorCode,
  detail?: string,
  more: Readonly<Record<string, unknown>> = {},
): Problem {
  const { message, http } = errorCatalogue[code];
  const headers: Record<string, string> = {};
  // Not Basic: a browser would ask for a password over whatever page called the api.
  if (http === 401) headers['www-authenticate'] = 'Bearer realm="Warren"';
  const type = `urn:warren:problem:${code.toLowerCase().replaceAll('_', '-')}`;
  const rest = { ...(detail !== undefined && { detail }), ...more };
  return { status: http, headers, body: { type, title: message, status: http, code, ...rest } };
}

export function problemOfRefusal(refusal: Refusal): Problem {
  const status = refusalStatus(refusal, 'web');
  const base = buildProblem('LIMIT_REACHED', `${refusal.sentence}.`, { limit: refusal.limit });
  return { status, headers: refusalHeaders(refusal), body: { ...base.body, status } };
}

/** What was thrown, for the client; undefined is for the log only and answered as INTERNAL. */
export function problemOfError(error: unknown): Problem | undefined {
  const ofBody = problemOfBodyError(error);
  if (ofBody !== undefined) return ofBody;
  if (!isForgeError(error) || error.entry.audience === 'operator') return undefined;
  const { sentence, limit, reason, retryAfterSeconds } = error.details;
  const built = buildProblem(error.code, typeof sentence === 'string' ? sentence : undefined);
  if (typeof limit !== 'string') return built;
  const headers = {
    ...built.headers,
    'retry-after': String(retryAfterSeconds ?? 1),
    'x-warren-limit': `${limit};reason=${String(reason ?? 'queue_full')}`,
  };
  return { ...built, headers };
}

/** What Express and its body parser throw is known by `type`, or by a 400 of a path that does not decode. */
function problemOfBodyError(error: unknown): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { type, status } = error as Error & { type?: unknown; status?: unknown };
  if (type === 'entity.too.large') {
    const built = buildProblem('PAYLOAD_TOO_LARGE', 'A body here has at most 1 MiB.');
    // What is still to come is not read, so the connection cannot be used again.
    return { ...built, headers: { connection: 'close' } };
  }
  if (type === 'encoding.unsupported') {
    return buildProblem('UNSUPPORTED_MEDIA_TYPE', 'This Content-Encoding is not known here.');
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return buildProblem('BAD_REQUEST', 'The body ended before its length.');
  }
  if (status === 400) return buildProblem('BAD_REQUEST', 'The address or body cannot be decoded.');
  return undefined;
}

export function sendProblem(response: ServerResponse, problem: Problem): void {
  sendJson(response, problem.status, problem.body, {
    ...problem.headers,
    'content-type': 'application/problem+json',
  });
}

/** Answers with JSON, or with nothing when there is no body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = body === undefined ? '' : `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(text);
}
