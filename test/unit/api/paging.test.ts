// Reading limit and cursor, and cutting pages that join without a gap.

import { expect, test } from 'vitest';
import { readPage, takePage } from '#api/paging.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
const read = (query: string, isList = true) => readPage(new URLSearchParams(query), isList);
const same = (key: string) => key;

test('pages join to the list, and the last has no next', () => {
  const first = takePage(keys, { limit: 2, after: undefined }, same);
  expect(first.items).toEqual(['a', 'b']);
  const second = read(`limit=3&cursor=${first.next}`);
  if (!second.ok) throw new Error(second.sentence);
  expect(takePage(keys, second.page, same)).toEqual({ items: ['c', 'd', 'e'], next: null });
});

test('an item that comes or goes between two pages makes no other show twice', () => {
  const { next } = takePage(keys, { limit: 2, after: undefined }, same);
  const page = read(`cursor=${next}`);
  if (!page.ok) throw new Error(page.sentence);
  expect(takePage(['a', 'aa', 'c', 'd'], page.page, same).items).toEqual(['c', 'd']);
});

test('what is not shown takes no place, and alone behind a page makes no next', () => {
  const isVowel = (key: string) => 'aeiou'.includes(key);
  const page = { limit: 2, after: undefined };
  expect(takePage(['a', 'b', 'e', 'f'], page, same, isVowel)).toEqual({
    items: ['a', 'e'],
    next: null,
  });
});

test('a page reads no more of the list than it needs', () => {
  let seen = 0;
  function* endless() {
    for (;;) yield String(seen++).padStart(9, '0');
  }
  takePage(endless(), { limit: 3, after: undefined }, same);
  expect(seen).toBe(4);
});

test.each([
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=1e2',
  'limit=',
  'cursor=',
  'cursor=*',
  'x=1',
])('%s is refused', (query) => expect(read(query).ok).toBe(false));

test('an address that is no list takes no parameters', () => {
  expect(read('limit=3', false).ok).toBe(false);
  expect(read('', false).ok).toBe(true);
});
