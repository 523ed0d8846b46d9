// git over HTTP (gitprotocol-http): decides who may do what, then hands on to discovery or rpc. Called by http-front
// for git addresses, with the caller's identity already known.

import type { ServerResponse } from 'node:http';
import { assertNever } from '#kernel/assert-never.ts';
import type { Context } from '#kernel/context.ts';
import { parseProtocolRequest } from '#git/protocol-version.ts';
import type { Address } from '#transport/address.ts';
import { answerDiscovery } from '#transport/discovery.ts';
import type { GitExchange } from '#transport/git-exchange.ts';
import type { GitServices } from '#transport/git-services.ts';
import { resolveTarget } from '#transport/git-target.ts';
import {
  gitHeaders,
  sendHidden,
  sendSignIn,
  sendText,
  sendUnavailable,
} from '#transport/respond.ts';
import { answerRpc } from '#transport/rpc.ts';

export type GitAddress = Extract<Address, { kind: 'info-refs' | 'rpc' | 'lfs' }>;

/** @throws ForgeError for http-front to answer with, before anything was sent. */
export async function answerGit(
  ctx: Context,
  services: GitServices,
  address: GitAddress,
  exchange: GitExchange,
): Promise<void> {
  const { request, response, actor } = exchange;
  if (address.kind === 'lfs') {
    sendLfsAbsent(response);
    return;
  }
  const need = address.service === 'git-receive-pack' ? 'write' : 'read';
  const outcome = resolveTarget(services.repositories, actor, address.repository, need);
  switch (outcome.kind) {
    case 'hidden':
      if (actor.kind === 'anonymous') sendSignIn(response);
      else sendHidden(response);
      return;
    case 'sign-in':
      sendSignIn(response);
      return;
    case 'forbidden':
      sendText(response, 403, outcome.sentence, gitHeaders);
      return;
    case 'unavailable':
      sendUnavailable(response, outcome.sentence);
      return;
    case 'open':
      break;
    default:
      assertNever(outcome);
  }
  const { target } = outcome;
  // A repeated header arrives joined by a comma, which no valid value has.
  const protocol = parseProtocolRequest(request.headers['git-protocol']?.toString());
  if (address.kind === 'rpc') {
    await answerRpc(ctx, services, { service: address.service, target, protocol }, exchange);
  } else {
    await answerDiscovery(ctx, services, { service: address.service, target, protocol }, exchange);
  }
}

function sendLfsAbsent(response: ServerResponse): void {
  const body = Buffer.from(
    JSON.stringify({ message: 'Git LFS is not served here: push the files themselves.' }),
  );
  response.writeHead(501, {
    'content-type': 'application/vnd.git-lfs+json',
    'content-length': String(body.length),
    'cache-control': 'no-store',
  });
  response.end(body);
}
