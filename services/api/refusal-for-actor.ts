// Whether an actor may call a route at all, as its declaration says. Pure; called before anything is looked up, so that the
// answer does not depend on whether the account that the path names exists.

import type { Actor } from '#model/actor.ts';
import type { Route } from '#api/api-route.ts';
import { buildProblem, type Problem } from '#api/problem.ts';

/** @param account that the path names; empty when it names none. */
export function refusalForActor(
  route: Pick<Route, 'who' | 'method'>,
  actor: Actor,
  account: string,
): Problem | undefined {
  if (actor.kind === 'anonymous') {
    return route.who === 'anyone' ? undefined : buildProblem('UNAUTHENTICATED');
  }
  if (route.who === 'operator' && !actor.operator) {
    return buildProblem('FORBIDDEN', 'Only an operator may do this.');
  }
  if (route.who === 'self' && !actor.operator && actor.name !== account) {
    return buildProblem('FORBIDDEN', 'Only the account itself or an operator may do this.');
  }
  if (route.method !== 'get' && actor.readOnly === true) {
    return buildProblem('FORBIDDEN', 'This token is read-only.');
  }
  return undefined;
}
