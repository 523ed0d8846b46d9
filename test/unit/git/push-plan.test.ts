// What a push may do before an object of it is looked at.

import { expect, test } from 'vitest';
import { matchesBranch, planPush, type ProtectedBranch } from '#git/push-plan.ts';
import type { RefUpdate } from '#git/push-request.ts';
import type { Oid } from '#model/oid.ts';

const zero = '0'.repeat(40) as Oid; // the ids of this test are made up
const a = 'a'.repeat(40) as Oid;
const b = 'b'.repeat(40) as Oid;

const create = (refName: string): RefUpdate => ({ old: zero, new: a, refName });
const update = (refName: string): RefUpdate => ({ old: a, new: b, refName });
const remove = (refName: string, old = a): RefUpdate => ({ old, new: zero, refName });

const rule = (pattern: string, more: Partial<ProtectedBranch> = {}): ProtectedBranch => ({
  pattern,
  push: 'write',
  allowForce: false,
  allowDeletion: false,
  ...more,
});

test('a push without rules runs with nothing left to check', () => {
  const plan = planPush([create('refs/heads/x'), remove('refs/heads/y')], [], 'write');
  expect(plan).toEqual({ kind: 'run', fastForwardOnly: [] });
});

test('an update of a protected branch is left to the hook, its creation is not', () => {
  expect(planPush([update('refs/heads/main')], [rule('main')], 'write')).toEqual({
    kind: 'run',
    fastForwardOnly: ['refs/heads/main'],
  });
  expect(planPush([create('refs/heads/main')], [rule('main')], 'write')).toEqual({
    kind: 'run',
    fastForwardOnly: [],
  });
});

test('a rule that allows force and deletion checks only the role', () => {
  const rules = [rule('main', { allowForce: true, allowDeletion: true, push: 'admin' })];
  expect(planPush([update('refs/heads/main')], rules, 'admin')).toEqual({
    kind: 'run',
    fastForwardOnly: [],
  });
  expect(planPush([remove('refs/heads/main')], rules, 'admin').kind).toBe('run');
  expect(planPush([update('refs/heads/main')], rules, 'write')).toMatchObject({
    kind: 'refuse',
    sentence: 'refs/heads/main: protected branch: needs role admin to push',
  });
});

test('a protected branch is not deleted, whatever the client says it was', () => {
  for (const old of [a, zero]) {
    expect(planPush([remove('refs/heads/main', old)], [rule('main')], 'admin')).toMatchObject({
      kind: 'refuse',
      sentence: 'refs/heads/main: protected branch: may not be deleted',
    });
  }
});

test('one refused ref refuses the push, and each ref has its reason', () => {
  const plan = planPush(
    [create('refs/heads/ok'), create('refs/warren/s/00'), create('refs/heads/a..b')],
    [],
    'admin',
  );
  expect(plan).toMatchObject({
    kind: 'refuse',
    refusals: [
      { refName: 'refs/heads/ok', reason: 'not updated: another ref of this push was refused' },
      { refName: 'refs/warren/s/00', reason: expect.stringContaining('takes no pushes') },
      { refName: 'refs/heads/a..b', reason: expect.stringContaining('no spaces') },
    ],
  });
});

test('a ref with a name that is refused today may still be deleted', () => {
  expect(planPush([remove('refs/heads/HEAD')], [], 'write').kind).toBe('run');
});

test('rules concern branches only', () => {
  expect(planPush([update('refs/tags/main')], [rule('**')], 'write')).toEqual({
    kind: 'run',
    fastForwardOnly: [],
  });
});

test('the strictest of several rules holds', () => {
  const rules = [rule('*', { allowForce: true }), rule('main', { push: 'admin' })];
  expect(planPush([update('refs/heads/main')], rules, 'write').kind).toBe('refuse');
  expect(planPush([update('refs/heads/main')], rules, 'admin')).toMatchObject({
    fastForwardOnly: ['refs/heads/main'],
  });
});

test.each([
  ['main', 'main', true],
  ['main', 'mainx', false],
  ['main', 'x/main', false],
  ['release/*', 'release/1.0', true],
  ['release/*', 'release/1/0', false],
  ['release/**', 'release/1/0', true],
  ['release/*', 'release/', true],
  ['*', 'a', true],
  ['*', 'a/b', false],
  ['**', 'a/b', true],
  ['v1.0', 'v1x0', false],
  ['a+b', 'a+b', true],
  ['a+b', 'aab', false],
  ['(x)', '(x)', true],
  ['*-fix', 'a-fix', true],
])('the pattern %s matches %s: %s', (pattern, branch, matches) => {
  expect(matchesBranch(pattern, branch)).toBe(matches);
});

test('a pattern of many stars does not run away', () => {
  const startedMs = performance.now();
  matchesBranch(`${'*a'.repeat(12)}x`, 'a'.repeat(200));
  expect(performance.now() - startedMs).toBeLessThan(500);
});
