// What a client's command string means, without any shell.

import { expect, test } from 'vitest';
import { parseSshCommand } from '#transport/ssh-command-line.ts';

const upload = (repository: string) => ({ kind: 'git', service: 'git-upload-pack', repository });

test.each([
  ["git-upload-pack '/a/b.git'", 'a/b'],
  ["git upload-pack '/a/b.git'", 'a/b'],
  ['git-upload-pack a/b', 'a/b'],
  ['git-upload-pack "/a/b"', 'a/b'],
  ["git-upload-pack 'a/it'\\''s'", "a/it's"],
  ["git-upload-pack 'a/b'\\!''", 'a/b!'],
  ["  git-upload-pack   'a/ü b/'  ", 'a/ü b'],
])('%s reads a path as git quotes it', (text, repository) => {
  expect(parseSshCommand(text)).toEqual(upload(repository));
});

test.each([
  '',
  'git',
  'git status',
  'sh',
  'git-upload-pack',
  "git-upload-pack 'a/b' c",
  "git-upload-pack 'a/b",
  "git-upload-pack 'a/b'|cat",
  'git-upload-pack `id`',
  "git-upload-pack '-x'",
  "git-upload-pack '/../x'",
  "git-upload-pack 'a/..'",
  "git-upload-pack 'a\0b'",
  "git-upload-pack 'a\nb'",
  "git-upload-pack 'a\ufffdb'",
  `git-upload-pack '${'x'.repeat(4097)}'`,
  'x'.repeat(100_000),
])('%.40j is refused', (text) => {
  expect(parseSshCommand(text).kind).toBe('refused');
});

test('two dots inside a name are a name', () => {
  expect(parseSshCommand("git-upload-pack 'a/b..c'")).toEqual(upload('a/b..c'));
});
