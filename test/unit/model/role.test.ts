// Each role includes the ones before it.

import { expect, test } from 'vitest';
import { higherRole, includesRole, type Role, roles } from '#model/role.ts';

test.each(
  roles.flatMap((have, haveAt) =>
    roles.map((need, needAt) => [have, need, haveAt >= needAt] as const),
  ),
)('%s includes %s: %s', (have, need, expected) => {
  expect(includesRole(have, need)).toBe(expected);
});

test('no role includes nothing', () => {
  expect(roles.filter((need) => includesRole(undefined, need))).toEqual([]);
});

test.each<[Role | undefined, Role | undefined, Role | undefined]>([
  ['read', 'write', 'write'],
  ['admin', 'triage', 'admin'],
  ['read', 'read', 'read'],
  [undefined, 'triage', 'triage'],
  ['triage', undefined, 'triage'],
  [undefined, undefined, undefined],
])('the higher of %s and %s is %s', (a, b, expected) => {
  expect(higherRole(a, b)).toBe(expected);
});
