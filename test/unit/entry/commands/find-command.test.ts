import { expect, test } from 'vitest';
import { findCommand } from '#entry/commands/find-command.ts';

test('a command is found by one word or two, and keeps the rest', () => {
  expect(findCommand(['get', 'repositories', '--json'])).toMatchObject({
    kind: 'command',
    command: { name: 'get' },
    rest: ['repositories', '--json'],
  });
  expect(findCommand(['user', 'add', 'mary'])).toMatchObject({
    command: { name: 'user add' },
    rest: ['mary'],
  });
});

test.each([[], ['help'], ['--help'], ['-h'], ['user'], ['user', '--help'], ['help', 'user']])(
  'help: %j %j',
  (...args) => {
    const found = findCommand(args.filter((arg) => arg !== undefined));
    expect(found).toMatchObject({ kind: 'text', text: expect.stringContaining('Usage: warren') });
  },
);

test('help before a command asks it for its own', () => {
  expect(findCommand(['help', 'token', 'create'])).toMatchObject({
    command: { name: 'token create' },
    rest: ['--help'],
  });
});

test.each([
  [['aply'], 'There is no command "aply"; did you mean apply?'],
  [['frobnicate'], 'There is no command "frobnicate".'],
  [['user', 'ad'], 'There is no command "user ad"; did you mean add?'],
  [['key', 'frobnicate'], 'There is no command "key frobnicate"; there are add, list, remove.'],
  [['--json', 'get'], '"--json" comes after the command\'s name.'],
])('%j is answered with what was meant', (args, sentence) => {
  expect(findCommand(args)).toMatchObject({ kind: 'wrong', sentence });
});
