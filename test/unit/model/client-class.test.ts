// Who is asking, as limits count it.

import { expect, test } from 'vitest';
import { type Actor, anonymous } from '#model/actor.ts';
import { classifyClient } from '#model/client-class.ts';

const account: Actor = { kind: 'account', name: 'ada', groups: [], operator: false };

test.each([
  [anonymous, 'cheap', 'anon_cheap'],
  [anonymous, 'costly', 'anon_costly'],
  [anonymous, 'write', 'anon_costly'],
  [account, 'cheap', 'auth_read'],
  [account, 'costly', 'auth_read'],
  [account, 'write', 'auth_write'],
] as const)('%j doing %s work is %s', (actor, work, expected) => {
  expect(classifyClient(actor, work)).toBe(expected);
});
