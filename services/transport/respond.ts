// The one place that turns outcomes and errors into bytes on git's and the plain HTTP routes.
// Text, because that is what git prints as `remote:` lines; pages and API render errors of their own.

import type { ServerResponse } from 'node:http';
import { ForgeError, isForgeError } from '#kernel/forge-error.ts';
import type { Log } from '#kernel/log.ts';
import { type Refusal, refusalHeaders, refusalStatus } from '#admission/refusal.ts';

export type Headers = Readonly<Record<string, string>>;

const noStore = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  pragma: 'no-cache',
};

/** What git expects on every answer: never cached (gitprotocol-http). */
export const gitHeaders: Headers = noStore;

export function sendText(
  response: ServerResponse,
  status: number,
  sentence: string,
  headers: Headers = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(`${sentence}\n`);
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(body.length),
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(body);
}

export function sendRefusal(
  response: ServerResponse,
  refusal: Refusal,
  surface: 'git' | 'web',
): void {
  sendText(response, refusalStatus(refusal, surface), refusal.sentence, refusalHeaders(refusal));
}

/** No credentials: ask for them. The bytes are the same whether the repository exists or not. */
export function sendSignIn(response: ServerResponse): void {
  sendText(response, 401, 'Sign in with an account name and a token, or check the address.', {
    ...noStore,
    'www-authenticate': 'Basic realm="Warren", charset="UTF-8"',
  });
}

export function sendHidden(response: ServerResponse): void {
  sendText(response, 404, 'There is no such repository, or you may not see it.', noStore);
}

export function sendUnavailable(response: ServerResponse, sentence: string): void {
  sendText(response, 503, sentence, { ...noStore, 'retry-after': '5' });
}

/** Anything thrown: its catalogue status and sentence, or a plain 500 that says nothing of the inside. */
export function sendError(
  response: ServerResponse,
  error: unknown,
  log: Log,
  surface: 'git' | 'web' = 'web',
): void {
  const known = isForgeError(error) ? error : new ForgeError('INTERNAL', {}, { cause: error });
  if (known.code === 'CANCELLED') {
    response.destroy();
    return;
  }
  if (known.entry.http >= 500) log.error('a request failed', { error });
  if (response.headersSent) {
    // Too late for a status: breaking off is what tells the client that this is not the whole answer.
    response.destroy();
    return;
  }
  const sentence = known.entry.audience === 'client' ? known.message : known.entry.message;
  // git retries 429 only; see docs/limits.md.
  const isLimit = known.code === 'LIMIT_REACHED';
  const status = isLimit && surface === 'git' ? 429 : known.entry.http;
  // What is left of the body is not read: the connection cannot be used again.
  sendText(response, status, sentence, { connection: 'close', ...retryHeaders(known) });
}

function retryHeaders({ code, entry, details }: ForgeError): Headers {
  if (entry.retry !== 'later') return {};
  const { limit, reason, retryAfterSeconds = 5 } = details;
  const retry = { 'retry-after': String(retryAfterSeconds) };
  if (code !== 'LIMIT_REACHED') return retry;
  return {
    ...retry,
    'x-warren-limit': `${String(limit)};reason=${String(reason)}`,
    'cache-control': 'no-store',
  };
}
