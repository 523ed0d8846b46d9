// From who asks and what for to what happens, with hidden and absent the same.

import { expect, test } from 'vitest';
import type { Actor } from '#model/actor.ts';
import type { RepositoryState } from '#model/repository-state.ts';
import { anonymous } from '#model/actor.ts';
import { buildCatalogState } from '#support/api-server.ts';
import { resolveTarget } from '#transport/git-target.ts';

const ready: RepositoryState = { kind: 'ready', objectFormat: 'sha1', refFormat: 'files' };
const access = [{ user: 'ann', role: 'write' }] as const;
const { repositories } = buildCatalogState([
  { id: 'team/open', visibility: 'public', access },
  { id: 'team/secret', access },
  { id: 'team/old', visibility: 'public', access, archived: true },
  {
    id: 'team/mirror',
    visibility: 'public',
    access,
    source: { url: 'https://example.test/x.git', mirror: true, interval: '10m' },
  },
]);
const ann: Actor = { kind: 'account', name: 'ann', groups: [], operator: false };
const bob: Actor = { kind: 'account', name: 'bob', groups: [], operator: false };

const resolve = (
  actor: Actor,
  path: string,
  need: 'read' | 'write',
  state: RepositoryState | undefined = ready,
) =>
  resolveTarget(
    { find: (p) => repositories.get(p), stateOf: () => state, directoryOf: (id) => `/data/${id}` },
    actor,
    path,
    need,
  );

test.each([
  [anonymous, 'team/open', 'read', 'open'],
  [anonymous, 'team/open', 'write', 'sign-in'],
  [anonymous, 'team/secret', 'read', 'hidden'],
  [anonymous, 'team/secret', 'write', 'hidden'],
  [bob, 'team/secret', 'write', 'hidden'],
  [bob, 'team/open', 'write', 'forbidden'],
  [ann, 'team/secret', 'write', 'open'],
  [ann, 'team/old', 'read', 'open'],
  [ann, 'team/old', 'write', 'forbidden'],
  [ann, 'team/mirror', 'write', 'forbidden'],
  [ann, 'team/nothing', 'read', 'hidden'],
  [{ ...ann, operator: true }, 'team/nothing', 'write', 'hidden'],
  [{ ...ann, readOnly: true }, 'team/secret', 'write', 'forbidden'],
] as const)('%j asks for %s to %s: %s', (actor, path, need, kind) => {
  expect(resolve(actor, path, need).kind).toBe(kind);
});

test.each([
  [{ kind: 'suspended' }, 'suspended'],
  [{ kind: 'preparing', progress: 'Receiving objects 5 %' }, 'Receiving objects 5 %'],
  [{ kind: 'failed', sentence: 'no such host' }, 'no such host'],
  [undefined, 'prepared'],
] as const)('a repository in state %j says so, and only to who may see it', (state, words) => {
  const find = {
    find: (p: string) => repositories.get(p),
    stateOf: () => state,
    directoryOf: () => '',
  };
  expect(resolveTarget(find, ann, 'team/secret', 'read')).toMatchObject({
    kind: 'unavailable',
    sentence: expect.stringContaining(words),
  });
  expect(resolveTarget(find, bob, 'team/secret', 'read')).toEqual({ kind: 'hidden' });
});
