// Hands a request to a service that runs in another process of the pod, over its Unix socket. The socket is private to
// the pod, so the actor that transport has established is believed there (x-warren-actor) and stripped everywhere else.

import { type IncomingMessage, request as startRequest, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { onAbort } from '#kernel/abort.ts';
import type { Context } from '#kernel/context.ts';
import { errnoOf, ForgeError } from '#kernel/forge-error.ts';
import type { Actor } from '#model/actor.ts';

export const actorHeader = 'x-warren-actor';

/** Headers that concern one connection only (RFC 9110, section 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** @throws SERVICE_AWAY when the service does not answer. */
export async function proxyToService(
  ctx: Context,
  socketPath: string,
  exchange: {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly actor: Actor;
  },
): Promise<void> {
  const { request, response, actor } = exchange;
  const headers: Record<string, string | string[]> = { [actorHeader]: encodeActor(actor) };
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !hopByHop.has(name) && name !== actorHeader) headers[name] = value;
  }
  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const onward = startRequest({
    socketPath,
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers,
  });
  onward.once('response', resolve);
  onward.once('error', reject);
  using _leaving = onAbort(ctx.signal, () => onward.destroy());
  request.pipe(onward);
  let answer: IncomingMessage;
  try {
    answer = await promise;
  } catch (cause) {
    ctx.signal.throwIfAborted();
    throw new ForgeError('SERVICE_AWAY', { errno: errnoOf(cause) ?? 'unknown' }, { cause });
  }
  const kept = Object.entries(answer.headers).filter(([name]) => !hopByHop.has(name));
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
  await pipeline(answer, response);
}

export function encodeActor(actor: Actor): string {
  return Buffer.from(JSON.stringify(actor)).toString('base64url');
}

/** The actor of a request that came over a service's socket. @throws BAD_REQUEST when it has none. */
export function decodeActor(request: IncomingMessage): Actor {
  const value = request.headers[actorHeader];
  try {
    // What arrives here was written by encodeActor in a process of this pod.
    return JSON.parse(Buffer.from(String(value), 'base64url').toString('utf8')) as Actor;
  } catch (cause) {
    throw new ForgeError('BAD_REQUEST', { sentence: 'no actor' }, { cause });
  }
}
