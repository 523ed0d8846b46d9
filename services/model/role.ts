// What a person may do in a repository. Each role includes the ones before it.

export const roles = ['read', 'triage', 'write', 'admin'] as const;
export type Role = (typeof roles)[number];

export type Visibility = 'public' | 'internal' | 'private';

/** True when `have` includes what `need` allows; no role includes nothing. */
export function includesRole(have: Role | undefined, need: Role): boolean {
  return have !== undefined && roles.indexOf(have) >= roles.indexOf(need);
}

/** The larger of two roles. */
export function higherRole(a: Role | undefined, b: Role | undefined): Role | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return includesRole(a, b) ? a : b;
}
