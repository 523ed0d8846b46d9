// Calls of the API for the commands: one request, its answer or a ForgeError whose sentence a person understands.
// Must stay true: a change is sent once; only what reads is tried again; the token goes to this one origin.

import { linkAbort, sleep } from '#kernel/abort.ts';
import { type ErrorCode, errorCatalogue } from '#kernel/error-catalogue.ts';
import { errnoOf, ForgeError, isForgeError, messageOf } from '#kernel/forge-error.ts';
import { formatDuration } from '#kernel/units.ts';
import { type ServerAddress, startHint } from '#entry/commands/find-server.ts';

export type ApiClient = {
  readonly server: ServerAddress;
  /** Tried again, up to four times, while the server is busy. T is what the API's description says of the path. */
  get<T>(path: string): Promise<T>;
  /** All pages of a list. */
  list<T>(path: string): Promise<T[]>;
  /** Sent once. A string is YAML. */
  send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
};

type Reply = { readonly status: number; readonly headers: Headers; readonly text: string };
type ApiProblem = {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly problems?: unknown;
};

const timeoutMs = 30_000;
const maxAttempts = 4;
const maxPauseMs = 5_000;

export function createApiClient(server: ServerAddress, signal: AbortSignal): ApiClient {
  async function attempt(method: string, path: string, body: unknown): Promise<Reply> {
    const address = new URL(`/api/v1${path}`, server.url);
    using limited = linkAbort(signal, timeoutMs);
    try {
      const response = await fetch(address, {
        method,
        // The token must not follow to another address.
        redirect: 'manual',
        signal: limited.signal,
        headers: {
          accept: 'application/json',
          ...(server.token !== undefined && { authorization: `Bearer ${server.token}` }),
          ...(body !== undefined && {
            'content-type': typeof body === 'string' ? 'text/yaml' : 'application/json',
          }),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const { status, headers } = response;
      return { status, headers, text: await response.text() };
    } catch (cause) {
      if (signal.aborted) throw new ForgeError('CANCELLED', {}, { cause });
      throw new ForgeError('SERVER_UNREACHABLE', { sentence: explain(cause, server) }, { cause });
    }
  }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    for (let tried = 1; ; tried++) {
      const reply = await attempt(method, path, body);
      const { status } = reply;
      if (status >= 200 && status < 300) return readJson(reply, server) as T; // As the API describes it.
      const isBusy = status === 429 || status === 503;
      if (!isBusy || method !== 'GET' || tried === maxAttempts) throw problemOf(reply, server);
      await sleep(pauseMs(reply, tried), signal);
    }
  }

  return {
    server,
    get: (path) => call('GET', path),
    send: (method, path, body) => call(method, path, body),
    async list<T>(path: string) {
      const items: T[] = [];
      let cursor = '';
      do {
        const page = await call<{ items: T[]; next: string | null }>(
          'GET',
          `${path}?limit=100${cursor}`,
        );
        items.push(...page.items);
        cursor = page.next === null ? '' : `&cursor=${encodeURIComponent(page.next)}`;
      } while (cursor !== '');
      return items;
    },
  };
}

/** What the server asks for, within what a person waits for. */
function pauseMs({ headers }: Reply, tried: number): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Math.min(Number.isFinite(seconds) ? seconds * 1000 : 250 * 2 ** tried, maxPauseMs);
}

function readJson({ status, text }: Reply, server: ServerAddress): unknown {
  if (status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const sentence = `What answers at ${server.url.origin} is no Warren: its answer is not JSON.`;
    throw new ForgeError('SERVER_UNREACHABLE', { sentence }, { cause });
  }
}

function problemOf(reply: Reply, server: ServerAddress): ForgeError {
  const { status, headers } = reply;
  const { origin } = server.url;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null) {
    const sentence = `${origin} sends on to ${location}: name that server with --url.`;
    return new ForgeError('SERVER_UNREACHABLE', { sentence });
  }
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json') === true;
  // Members as RFC 9457 and the API's description have them.
  const problem = isProblem ? (readJson(reply, server) as ApiProblem) : undefined;
  if (problem?.code === undefined) {
    const sentence = `${origin} answered ${status}, and not as Warren's API does: is the address right?`;
    return new ForgeError('SERVER_UNREACHABLE', { sentence });
  }
  const code: ErrorCode = problem.code in errorCatalogue ? (problem.code as ErrorCode) : 'INTERNAL'; // Checked by `in`.
  const sentence = sentenceOf(problem, reply, server);
  return new ForgeError(code, { sentence, ...manifestProblems(problem) });
}

function sentenceOf(
  { code, title = 'Refused', detail }: ApiProblem,
  { status, headers }: Reply,
  { token }: ServerAddress,
): string {
  const said = makeSentence(detail ?? title);
  if (status === 401) {
    return token === undefined
      ? 'You are not signed in: give a token by WARREN_TOKEN or --token.'
      : 'The token is not valid: it may be mistyped, revoked or expired.';
  }
  const retryAfter = headers.get('retry-after');
  if (retryAfter !== null) return `${said} Try again in ${retryAfter} s.`;
  return code === 'INTERNAL' ? `${said} The server's log says what.` : said;
}

/** Carried as JSON: details hold plain values only. */
function manifestProblems({ problems }: ApiProblem): { manifestProblems?: string } {
  return Array.isArray(problems) ? { manifestProblems: JSON.stringify(problems) } : {};
}

/** Capital first and full stop last. */
export function makeSentence(text: string): string {
  const trimmed = text.trim();
  const started = trimmed.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return /[.!?]$/.test(started) ? started : `${started}.`;
}

function explain(error: unknown, { url, foundIn }: ServerAddress): string {
  const at = url.origin;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  // Several addresses were tried, as for localhost.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  const errno = errnoOf(first);
  if (errno === 'ECONNREFUSED') {
    const where = foundIn === undefined ? '' : `, which ran on ${foundIn} last`;
    return `No server answers at ${at}${where}. ${startHint}`;
  }
  if (errno === 'ENOTFOUND' || errno === 'EAI_AGAIN') {
    return `There is no host ${url.hostname}, or its name cannot be looked up now.`;
  }
  if (isForgeError(error, 'DEADLINE')) {
    return `${at} did not answer within ${formatDuration(timeoutMs)}.`;
  }
  return `The request to ${at} failed: ${messageOf(first)}.`;
}
