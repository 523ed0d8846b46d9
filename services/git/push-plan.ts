// What a push may do, decided from its ref updates before an object is unpacked. Pure.
// What needs the objects (is it a fast-forward?) is left to the pre-receive hook, inside git's quarantine.

import type { RepositorySpec } from '#model/kinds.generated.ts';
import { includesRole, type Role } from '#model/role.ts';
import { isInternalRef } from '#git/hidden-refs.ts';
import type { RefRefusal } from '#git/push-report.ts';
import { type RefUpdate, updateKind } from '#git/push-request.ts';
import { refNameProblem } from '#git/ref-name.ts';

export type ProtectedBranch = NonNullable<RepositorySpec['protectedBranches']>[number];

export type PushPlan =
  | { readonly kind: 'refuse'; readonly refusals: readonly RefRefusal[]; readonly sentence: string }
  | {
      readonly kind: 'run';
      /** Branches whose update must be a fast-forward: checked by the hook. */
      readonly fastForwardOnly: readonly string[];
    };

/** @param role of who pushes, at least write. */
export function planPush(
  updates: readonly RefUpdate[],
  protectedBranches: readonly ProtectedBranch[],
  role: Role,
): PushPlan {
  const refused = new Map<string, string>();
  const fastForwardOnly: string[] = [];
  for (const update of updates) {
    const reason = refusalOf(update, protectedBranches, role);
    if (reason !== undefined) refused.set(update.refName, reason);
    if (needsFastForward(update, protectedBranches)) fastForwardOnly.push(update.refName);
  }
  if (refused.size === 0) return { kind: 'run', fastForwardOnly };
  // All or nothing: the client sees which ref is at fault, and nothing has moved.
  const refusals = updates.map(({ refName }) => ({
    refName,
    reason: refused.get(refName) ?? 'not updated: another ref of this push was refused',
  }));
  const sentence = [...refused].map(([refName, reason]) => `${refName}: ${reason}`).join('\n');
  return { kind: 'refuse', refusals, sentence };
}

function refusalOf(
  update: RefUpdate,
  protectedBranches: readonly ProtectedBranch[],
  role: Role,
): string | undefined {
  const { refName } = update;
  if (isInternalRef(refName)) return 'refs/warren/ is kept by the server and takes no pushes';
  const problem = updateKind(update) === 'delete' ? undefined : refNameProblem(refName);
  if (problem !== undefined) return problem;
  for (const rule of matching(refName, protectedBranches)) {
    if (!includesRole(role, rule.push)) return `protected branch: needs role ${rule.push} to push`;
    if (updateKind(update) === 'delete' && !rule.allowDeletion) {
      return 'protected branch: may not be deleted';
    }
  }
  return undefined;
}

function needsFastForward(
  update: RefUpdate,
  protectedBranches: readonly ProtectedBranch[],
): boolean {
  if (updateKind(update) !== 'update') return false;
  return matching(update.refName, protectedBranches).some((rule) => !rule.allowForce);
}

function matching(
  refName: string,
  protectedBranches: readonly ProtectedBranch[],
): readonly ProtectedBranch[] {
  if (!refName.startsWith('refs/heads/')) return [];
  const branch = refName.slice('refs/heads/'.length);
  return protectedBranches.filter(({ pattern }) => matchesBranch(pattern, branch));
}

/** `*` stands for anything without a slash, `**` for anything. Takes time of pattern × branch, whatever they are. */
export function matchesBranch(pattern: string, branch: string): boolean {
  const tokens = pattern.match(/\*\*|[^]/g) ?? [];
  // The positions in the pattern that what was read so far may have reached.
  let reached = skipStars(tokens, [0]);
  for (const char of branch) {
    const next = [...reached].flatMap((at) => {
      const token = tokens[at];
      if (token === '**' || (token === '*' && char !== '/')) return [at];
      return token === char ? [at + 1] : [];
    });
    reached = skipStars(tokens, next);
  }
  return reached.has(tokens.length);
}

/** A star may stand for nothing. */
function skipStars(tokens: readonly string[], positions: readonly number[]): ReadonlySet<number> {
  const reached = new Set(positions);
  // A set takes what is added while it is walked through.
  for (const at of reached) if (tokens[at]?.startsWith('*') === true) reached.add(at + 1);
  return reached;
}
