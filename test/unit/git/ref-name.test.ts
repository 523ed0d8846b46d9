// Ref names that a push may create: never one that git itself would refuse.

import { expect, test } from 'vitest';
import { refNameProblem } from '#git/ref-name.ts';
import { createGitClient } from '#support/git-client.ts';

const names = [
  'refs/heads/main',
  'refs/heads/a/b/c',
  'refs/tags/v1.0',
  'refs/heads/ä',
  'refs/heads/-x',
  'refs/heads/a.b',
  'refs/heads/@',
  'refs/heads/a@b',
  'refs/heads/a..b',
  'refs/heads/a b',
  'refs/heads/a~1',
  'refs/heads/a^',
  'refs/heads/a:b',
  'refs/heads/a?',
  'refs/heads/a*',
  'refs/heads/a[b',
  'refs/heads/a\\b',
  'refs/heads/a@{b',
  'refs/heads/.a',
  'refs/heads/a/.b',
  'refs/heads/a.lock',
  'refs/heads/a.lock/b',
  'refs/heads/a.',
  'refs/heads//a',
  'refs/heads/a/',
  'refs/heads/a\u0007',
  'refs/heads/a\u007f',
  'refs/heads',
  'refs/',
  'main',
  '',
  '/refs/heads/a',
  'refs/heads/a\tb',
];

test('what git refuses is refused, and what git takes is taken', async () => {
  await using git = await createGitClient();
  for (const name of names) {
    const { code } = await git.run(['check-ref-format', name]);
    const isBelowRefs = name.startsWith('refs/') && name.split('/').length >= 3;
    expect(refNameProblem(name) === undefined, JSON.stringify(name)).toBe(
      code === 0 && isBelowRefs,
    );
  }
});

test.each([
  ['refs/heads/HEAD', 'a branch may not be named HEAD'],
  [`refs/heads/${'a'.repeat(40)}`, 'a branch or tag may not be named like an object id'],
  [`refs/tags/${'a'.repeat(64)}`, 'a branch or tag may not be named like an object id'],
  [`refs/heads/${'a'.repeat(1100)}`, 'a ref name has at most 1,024 bytes'],
  ['refs/heads/\ufffd', 'a ref name is valid UTF-8'],
  ['HEAD', 'a ref name starts with refs/'],
])('%.40s: %s', (name, sentence) => {
  expect(refNameProblem(name)).toBe(sentence);
});

test.each([
  `refs/heads/${'a'.repeat(39)}`,
  `refs/heads/x/${'a'.repeat(40)}`,
  'refs/heads/head',
  'refs/notes/commits',
])('%s is fine', (name) => {
  expect(refNameProblem(name)).toBeUndefined();
});
