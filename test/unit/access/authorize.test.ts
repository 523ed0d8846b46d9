// The table of rights.

import { expect, test } from 'vitest';
import { type AccessGrant, decideRead, decideWrite, roleOf } from '#access/authorize.ts';
import { type Actor, anonymous } from '#model/actor.ts';
import type { Visibility } from '#model/role.ts';

const anna: Actor = { kind: 'account', name: 'anna', groups: ['dev', 'ops'], operator: false };
const bert: Actor = { kind: 'account', name: 'bert', groups: [], operator: false };
const root: Actor = { kind: 'account', name: 'root', groups: [], operator: true };
const reader: Actor = { ...anna, readOnly: true };

function repository(visibility: Visibility, access: AccessGrant[] = [], archived = false) {
  return { spec: { visibility, access, archived } };
}
const grants: AccessGrant[] = [
  { user: 'anna', role: 'read' },
  { group: 'dev', role: 'write' },
  { group: 'ops', role: 'triage' },
];

test.each([
  ['public', anonymous, [], 'read'],
  ['internal', anonymous, [], undefined],
  ['private', anonymous, [], undefined],
  ['public', bert, [], 'read'],
  ['internal', bert, [], 'read'],
  ['private', bert, [], undefined],
  ['private', anna, grants, 'write'],
  ['public', bert, grants, 'read'],
  ['private', bert, grants, undefined],
  ['private', anonymous, grants, undefined],
  ['public', anna, [{ user: 'anna', role: 'read' }], 'read'],
  ['private', anna, [{ user: 'dev', role: 'admin' }], undefined],
  ['private', bert, [{ group: 'bert', role: 'admin' }], undefined],
  ['private', anna, [{ role: 'admin' }], undefined],
  // A grant of both counts for the user, so that a slip gives less, not more.
  ['private', anna, [{ user: 'bert', group: 'dev', role: 'admin' }], undefined],
  ['private', root, [], 'admin'],
] as const)('in a %s repository %o with %o has the role %s', (visibility, actor, access, role) => {
  expect(roleOf(actor, repository(visibility, [...access]))).toBe(role);
});

test.each([anonymous, anna, root])('what does not exist is hidden from %o', (actor) => {
  expect(roleOf(actor, undefined)).toBeUndefined();
  expect(decideRead(actor, undefined)).toBe('hidden');
  expect(decideWrite(actor, undefined)).toBe('hidden');
});

test.each([
  ['allowed', anna, repository('private', grants)],
  ['allowed', root, repository('private')],
  ['hidden', bert, repository('private')],
  ['hidden', anonymous, repository('internal')],
  ['forbidden:anonymous', anonymous, repository('public')],
  ['forbidden:role', bert, repository('public')],
  ['forbidden:read-only-token', reader, repository('private', grants)],
  ['forbidden:archived', anna, repository('private', grants, true)],
  ['forbidden:archived', root, repository('private', [], true)],
  // Who could not write anyway is told that, not that it is archived.
  ['forbidden:role', bert, repository('public', [], true)],
] as const)('writing is %s', (decision, actor, target) => {
  expect(decideWrite(actor, target)).toBe(decision);
});

test('an archived repository is read as before', () => {
  expect(decideRead(anna, repository('private', grants, true))).toBe('allowed');
  expect(decideRead(bert, repository('public', [], true))).toBe('allowed');
});

test('the role a write needs is the one that is asked for', () => {
  expect(decideWrite(anna, repository('private', grants), 'triage')).toBe('allowed');
  expect(decideWrite(anna, repository('private', grants), 'admin')).toBe('forbidden:role');
});
