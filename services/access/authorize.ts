// What an actor may do in a repository. Pure; called by transport, api, page and search for every request.
// Must stay true: a repository one may not read and one that does not exist take the same way through this file. Both
// are decided by the same comparison against a list of rights, with no return before it, so neither the answer
// nor the time tells them apart.

import type { Actor } from '#model/actor.ts';
import { higherRole, includesRole, type Role, type Visibility } from '#model/role.ts';

/** The part of a Repository that says who may do what; a RepositoryEntry is one. */
export type AccessRules = {
  readonly spec: {
    readonly visibility?: Visibility | undefined;
    readonly archived?: boolean | undefined;
    readonly access?: readonly AccessGrant[] | undefined;
  };
};

export type AccessGrant = {
  readonly user?: string | undefined;
  readonly group?: string | undefined;
  readonly role: Role;
};

/** Stands in for a repository that is not there: nobody's, so that the same code answers. */
const absent: AccessRules = { spec: { visibility: 'private', access: [] } };

/** The highest role the actor has; undefined may not even know that the repository exists. */
export function roleOf(actor: Actor, repository: AccessRules | undefined): Role | undefined {
  const { visibility = 'private', access = [] } = (repository ?? absent).spec;
  let role: Role | undefined = visibility === 'public' ? 'read' : undefined;
  if (actor.kind === 'anonymous') return role;
  if (visibility === 'internal') role = 'read';
  for (const grant of access) {
    if (isGrantedTo(actor, grant)) role = higherRole(role, grant.role);
  }
  // An operator of the forge administers what exists; what does not exist has no admin.
  return actor.operator && repository !== undefined ? 'admin' : role;
}

export type ReadDecision = 'allowed' | 'hidden';
export type WriteRefusal = 'anonymous' | 'role' | 'read-only-token' | 'archived';
export type WriteDecision = ReadDecision | `forbidden:${WriteRefusal}`;

/** hidden: answer as if it did not exist. */
export function decideRead(actor: Actor, repository: AccessRules | undefined): ReadDecision {
  return includesRole(roleOf(actor, repository), 'read') ? 'allowed' : 'hidden';
}

/** forbidden: the actor may see it, so the reason may be told (writeRefusalSentences). */
export function decideWrite(
  actor: Actor,
  repository: AccessRules | undefined,
  need: Role = 'write',
): WriteDecision {
  const role = roleOf(actor, repository);
  if (!includesRole(role, 'read')) return 'hidden';
  if (actor.kind === 'anonymous') return 'forbidden:anonymous';
  if (!includesRole(role, need)) return 'forbidden:role';
  if (actor.readOnly === true) return 'forbidden:read-only-token';
  if (repository?.spec.archived === true) return 'forbidden:archived';
  return 'allowed';
}

export const writeRefusalSentences: Readonly<Record<WriteRefusal, string>> = {
  anonymous: 'Sign in to write here.',
  role: 'Your role in this repository does not allow that.',
  'read-only-token': 'This token is read-only.',
  archived: 'This repository is archived: it can be read, not changed.',
};

function isGrantedTo(actor: Extract<Actor, { kind: 'account' }>, grant: AccessGrant): boolean {
  if (grant.user !== undefined) return grant.user === actor.name;
  return grant.group !== undefined && actor.groups.includes(grant.group);
}
