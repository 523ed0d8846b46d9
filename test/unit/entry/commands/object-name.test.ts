import { expect, test } from 'vitest';
import { readObjectName } from '#entry/commands/object-name.ts';

test('a name alone is in the namespace "default"', () => {
  expect(readObjectName('tools')).toEqual({ kind: 'named', id: 'default/tools' });
  expect(readObjectName('team/tools.v2')).toEqual({ kind: 'named', id: 'team/tools.v2' });
});

test.each(['', '/', 'a/', '/a', 'a/b/c', 'Team/x', '../x', 'a/..', 'a b', 'a/b?x', 'a/%2e'])(
  '%j is no name',
  (text) => {
    expect(readObjectName(text)).toMatchObject({ kind: 'wrong' });
  },
);
