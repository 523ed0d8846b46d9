import { expect, test } from 'vitest';
import { readSource } from '#entry/commands/import-command.ts';

test.each([
  ['https://example.org/a.git', 'https://example.org/a.git', false],
  ['ssh://git@example.org/a', 'ssh://git@example.org/a', false],
  ['file:///srv/a', 'file:///srv/a', false],
  ['/srv/a', '/srv/a', true],
  ['../a', '/home/a', true],
  ['.', '/home/mary', true],
  ['with:colon', '/home/mary/with:colon', true],
])('%s is taken as %s', (text, address, isPath) => {
  expect(readSource(text, '/home/mary')).toEqual({ kind: 'source', address, isPath });
});

test('an address as scp writes it is refused, with the address to write', () => {
  expect(readSource('git@example.org:team/a.git', '/')).toEqual({
    kind: 'wrong',
    sentence: 'Write this address as ssh://git@example.org/team/a.git.',
  });
});
