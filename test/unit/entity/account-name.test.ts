// Names that may and may not be.

import { expect, test } from 'vitest';
import { accountNameProblem, groupNameProblem } from '#entity/account-name.ts';

test.each(['a', 'anna', '0x', 'a-b', 'admin', 'a'.repeat(39)])('%s may be an account', (name) => {
  expect(accountNameProblem(name)).toBeUndefined();
});

test.each(['', '-a', 'Anna', 'a_b', 'a.b', 'ä', 'a b', 'a/b', '..', 'a'.repeat(40), 'git', 'me'])(
  '%j may not be an account',
  (name) => expect(accountNameProblem(name)).toMatch(/\.$/),
);

test('groups may be those of another system', () => {
  expect(groupNameProblem('oidc:team/Ops.eu')).toBeUndefined();
  expect(groupNameProblem('with space')).toMatch(/^A group name/);
});
