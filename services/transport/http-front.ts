// The front door: every HTTP request of the app port passes here. Order, with reasons: host (another origin must not
// reach the app), address (what it costs), identity (limits count by account), http_requests (before any work), handler.
// Must stay true: each request ends with one log line and one count, and its permit is given back when it is over.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { linkAbort } from '#kernel/abort.ts';
import { type Context, withSignal } from '#kernel/context.ts';
import { ForgeError, isForgeError } from '#kernel/forge-error.ts';
import type { Authenticator } from '#access/authenticate.ts';
import type { Gate } from '#admission/gate.ts';
import {
  clientKeyOf,
  type parseTrustedProxies,
  resolveClientAddress,
} from '#admission/client-address.ts';
import { type Actor, anonymous } from '#model/actor.ts';
import { classifyClient, type ClientClass } from '#model/client-class.ts';
import { type Address, hostName, parseAddress } from '#transport/address.ts';
import type { GitExchange } from '#transport/git-exchange.ts';
import type { HttpMonitor, RouteLabel } from '#transport/metrics.ts';
import { sendError, sendRefusal, sendSignIn, sendText } from '#transport/respond.ts';
import type { GitAddress } from '#transport/smart-http.ts';

export type HttpHandlers = {
  git(ctx: Context, address: GitAddress, exchange: GitExchange): Promise<void>;
  api(ctx: Context, exchange: GitExchange): Promise<void>;
  page(ctx: Context, exchange: GitExchange): Promise<void>;
};

export type HttpFrontOptions = {
  readonly context: Context;
  /** Asked at each request: the ports, and so the addresses, are known only when it listens. */
  readonly hosts: () => ReadonlySet<string>;
  readonly trustedProxies: ReturnType<typeof parseTrustedProxies>;
  readonly authenticator: Authenticator;
  readonly httpRequests: Gate;
  readonly monitor: HttpMonitor;
  readonly handlers: HttpHandlers;
  /** True while the server drains: pages and API are refused then; git's gates refuse for themselves. */
  readonly isDraining: () => boolean;
};

/** The listener for node:http; resolves when the request is over, and never rejects. */
export function createHttpFront(
  options: HttpFrontOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const startedMs = performance.now();
    const { monitor, trustedProxies, context } = options;
    const forwarded = request.headers['x-forwarded-for'];
    const client = resolveClientAddress(
      request.socket.remoteAddress,
      Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
      trustedProxies,
    );
    const address = parseAddress(request.url ?? '');
    const route = routeLabel(address);
    monitor.began(route, client.source);
    const seen: Seen = { class: 'anon_cheap', actor: anonymous };
    using leaving = linkAbort(context.signal);
    // Not `request` close: that fires when the body has been read.
    const onClose = () => {
      if (!response.writableFinished) leaving.abort(new ForgeError('CANCELLED'));
    };
    response.once('close', onClose);
    const ctx = withSignal(context, leaving.signal);
    try {
      await admitAndAnswer(ctx, options, {
        request,
        response,
        address,
        client: client.address,
        seen,
      });
    } catch (error) {
      if (leaving.signal.aborted && !isForgeError(error, 'SHUTTING_DOWN')) response.destroy();
      else sendError(response, error, ctx.log, isGitRoute(address) ? 'git' : 'web');
    }
    await finished(response);
    const durationSeconds = (performance.now() - startedMs) / 1000;
    const aborted = !response.writableFinished;
    monitor.ended({
      route,
      method: request.method ?? '',
      status: response.statusCode,
      class: seen.class,
      durationSeconds,
      aborted,
    });
    ctx.log.info('request', {
      route,
      method: request.method,
      path: pathOf(request),
      status: response.statusCode,
      client: client.address,
      account: seen.actor.kind === 'account' ? seen.actor.name : undefined,
      ms: Math.round(durationSeconds * 1000),
      ...(aborted ? { aborted } : {}),
      ...(response.hasHeader('x-warren-limit')
        ? { refused: response.getHeader('x-warren-limit') }
        : {}),
    });
  };
}

type Seen = { class: ClientClass; actor: Actor };

type Incoming = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly address: Address | undefined;
  readonly client: string;
  /** Filled in as it becomes known, for the log line. */
  readonly seen: Seen;
};

async function admitAndAnswer(
  ctx: Context,
  options: HttpFrontOptions,
  { request, response, address, client, seen }: Incoming,
): Promise<void> {
  if (address?.kind === 'health') {
    sendText(response, 200, 'ok');
    return;
  }
  const wanted = expectServed(options, request, address);
  const identity = await options.authenticator.authenticateHttp(ctx, request.headers.authorization);
  if (identity.kind === 'authenticated') seen.actor = identity.actor;
  const { actor } = seen;
  seen.class = classifyClient(actor, isCostly(wanted) ? 'costly' : 'cheap');
  const clientKey = clientKeyOf(actor, client);
  const permit = await options.httpRequests.acquire(ctx, { class: seen.class, clientKey });
  if (permit.kind === 'refused') {
    sendRefusal(response, permit, isGit(wanted) ? 'git' : 'web');
    return;
  }
  try {
    // The api says it in its own words.
    if (identity.kind === 'invalid' && wanted.kind !== 'api') {
      sendSignIn(response);
      return;
    }
    await dispatch(ctx, options.handlers, wanted, { request, response, actor, clientKey });
    await finished(response);
  } finally {
    permit.release();
  }
}

/** @throws MISDIRECTED, BAD_REQUEST or SHUTTING_DOWN, before anything else is looked at. */
function expectServed(
  { hosts, isDraining }: HttpFrontOptions,
  request: IncomingMessage,
  address: Exclude<Address, { kind: 'health' }> | undefined,
): Exclude<Address, { kind: 'health' }> {
  const host = hostName(request.headers.host);
  if (host === undefined || !hosts().has(host)) throw new ForgeError('MISDIRECTED');
  if (address === undefined) {
    throw new ForgeError('BAD_REQUEST', { sentence: 'the address is not valid' });
  }
  if (isDraining() && !isGit(address)) throw new ForgeError('SHUTTING_DOWN');
  return address;
}

function dispatch(
  ctx: Context,
  handlers: HttpHandlers,
  address: Exclude<Address, { kind: 'health' }>,
  exchange: GitExchange,
): Promise<void> {
  if (isGit(address)) return handlers.git(ctx, address, exchange);
  if (address.kind === 'api') return handlers.api(ctx, exchange);
  return handlers.page(ctx, exchange);
}

/** Resolves when the last byte is handed to the kernel, or the client has left. */
function finished(response: ServerResponse): Promise<void> {
  if (response.writableFinished || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('finish', () => resolve());
    response.once('close', () => resolve());
  });
}

function isGit(address: Address): address is GitAddress {
  return address.kind === 'info-refs' || address.kind === 'rpc' || address.kind === 'lfs';
}

function isGitRoute(address: Address | undefined): boolean {
  return address !== undefined && isGit(address);
}

function isCostly(address: Address): boolean {
  return address.kind === 'rpc';
}

function routeLabel(address: Address | undefined): RouteLabel {
  switch (address?.kind) {
    case 'info-refs':
      return 'info-refs';
    case 'rpc':
      return rpcLabels[address.service];
    case 'lfs':
      return 'lfs';
    case 'api':
      return 'api';
    case 'page':
      return 'overview';
    case 'health':
    case undefined:
    default:
      return 'other';
  }
}

const rpcLabels = {
  'git-upload-pack': 'upload-pack',
  'git-receive-pack': 'receive-pack',
  'git-upload-archive': 'archive',
} as const;

/** Without the query, which may hold what nobody should log. */
function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?')[0]?.slice(0, 300) ?? '';
}
