// From who asks and which repository to what may happen: the one decision behind every git request, HTTP and SSH.
// Must stay true: hidden and absent take the same way and give the same answer (DESIGN, Addresses).

import { decideRead, decideWrite, roleOf, writeRefusalSentences } from '#access/authorize.ts';
import type { Actor } from '#model/actor.ts';
import type { RepositoryEntry } from '#model/catalog-entry.ts';
import { assertNever } from '#kernel/assert-never.ts';
import type { RepositoryState } from '#model/repository-state.ts';
import type { Role } from '#model/role.ts';

export type ReadyState = Extract<RepositoryState, { kind: 'ready' }>;

export type GitTarget = {
  readonly entry: RepositoryEntry;
  readonly state: ReadyState;
  readonly gitDir: string;
  readonly role: Role;
};

export type TargetOutcome =
  | { readonly kind: 'open'; readonly target: GitTarget }
  /** Absent, or not for this actor to know of. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'forbidden'; readonly sentence: string }
  | { readonly kind: 'unavailable'; readonly sentence: string };

/** What the transport knows of repositories; wired by entry. */
export type RepositoryDirectory = {
  find(path: string): RepositoryEntry | undefined;
  stateOf(id: string): RepositoryState | undefined;
  directoryOf(id: string): string;
};

export function resolveTarget(
  repositories: RepositoryDirectory,
  actor: Actor,
  path: string,
  need: 'read' | 'write',
): TargetOutcome {
  const entry = repositories.find(path);
  const decision = need === 'read' ? decideRead(actor, entry) : decideWrite(actor, entry);
  if (decision === 'hidden' || entry === undefined) return { kind: 'hidden' };
  switch (decision) {
    case 'allowed':
      break;
    case 'forbidden:anonymous':
      return { kind: 'sign-in' };
    case 'forbidden:role':
    case 'forbidden:read-only-token':
    case 'forbidden:archived': {
      const refusal = decision.slice('forbidden:'.length) as keyof typeof writeRefusalSentences;
      return { kind: 'forbidden', sentence: writeRefusalSentences[refusal] };
    }
    default:
      return assertNever(decision);
  }
  if (need === 'write' && entry.spec.source?.mirror === true) {
    const sentence = `This repository mirrors ${entry.spec.source.url}: push there.`;
    return { kind: 'forbidden', sentence };
  }
  return openTarget(repositories, actor, entry);
}

function openTarget(
  repositories: RepositoryDirectory,
  actor: Actor,
  entry: RepositoryEntry,
): TargetOutcome {
  const state = repositories.stateOf(entry.id) ?? { kind: 'preparing', progress: 'waiting' };
  switch (state.kind) {
    case 'ready': {
      const gitDir = repositories.directoryOf(entry.id);
      const role = roleOf(actor, entry) ?? 'read';
      return { kind: 'open', target: { entry, state, gitDir, role } };
    }
    case 'preparing':
      return {
        kind: 'unavailable',
        sentence: `This repository is being prepared (${state.progress}); try again soon.`,
      };
    case 'suspended':
      return { kind: 'unavailable', sentence: 'This repository is suspended.' };
    case 'failed':
      return {
        kind: 'unavailable',
        sentence: `This repository cannot be served: ${state.sentence}`,
      };
    default:
      return assertNever(state);
  }
}
