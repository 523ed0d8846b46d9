// One HTTP request of a git client, once it is known who asks; and what limits see of it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ForgeError } from '#kernel/forge-error.ts';
import type { AdmissionRequest } from '#admission/admission-request.ts';
import type { Actor } from '#model/actor.ts';
import { classifyClient } from '#model/client-class.ts';
import type { GitTarget } from '#transport/git-target.ts';

export type GitExchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly actor: Actor;
  readonly clientKey: string;
};

/** What the gates count this request under. */
export function admissionRequest(
  { actor, clientKey }: Pick<GitExchange, 'actor' | 'clientKey'>,
  { entry }: GitTarget,
  isPush: boolean,
): AdmissionRequest {
  const { concurrency, perClientConcurrency } = entry.spec.limits;
  return {
    class: classifyClient(actor, isPush ? 'write' : 'costly'),
    clientKey,
    repository: { id: entry.id, concurrency, perClientConcurrency },
  };
}

/** @throws METHOD_NOT_ALLOWED for any other. */
export function expectMethod(request: IncomingMessage, methods: readonly string[]): void {
  if (methods.includes(request.method ?? '')) return;
  throw new ForgeError('METHOD_NOT_ALLOWED', { sentence: `use ${methods.join(' or ')}` });
}
