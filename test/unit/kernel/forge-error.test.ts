// The one exception class: constant facts, values beside them, recognised by brand and code.

import { expect, test } from 'vitest';
import { errorCatalogue } from '#kernel/error-catalogue.ts';
import { errnoOf, ForgeError, isForgeError, messageOf } from '#kernel/forge-error.ts';

test('the message is the fact of the catalogue, and the sentence of the occurrence after it', () => {
  expect(new ForgeError('NOT_FOUND', { path: 'a/b' }).message).toBe('Not found');
  expect(new ForgeError('NOT_FOUND', { sentence: 'no branch x' }).message).toBe(
    'Not found: no branch x',
  );
});

test('it carries code, entry, details and cause', () => {
  const cause = new Error('below');
  const error = new ForgeError('SPAWN_FAILED', { program: 'git' }, { cause });
  expect(error).toMatchObject({ code: 'SPAWN_FAILED', details: { program: 'git' }, cause });
  expect(error.entry).toBe(errorCatalogue.SPAWN_FAILED);
});

test('isForgeError goes by brand and code, not by class', () => {
  const error = new ForgeError('CONFLICT');
  expect(isForgeError(error)).toBe(true);
  expect(isForgeError(error, 'CONFLICT')).toBe(true);
  expect(isForgeError(error, 'NOT_FOUND')).toBe(false);
  const ofAnotherBundle = { code: 'CONFLICT', [Symbol.for('warren.ForgeError')]: true };
  expect(isForgeError(ofAnotherBundle, 'CONFLICT')).toBe(true);
});

test.each([[undefined], [null], ['CONFLICT'], [{ code: 'CONFLICT' }], [new Error('CONFLICT')]])(
  'isForgeError says no to %j',
  (value) => {
    expect(isForgeError(value, 'CONFLICT')).toBe(false);
  },
);

test('the brand is no field that a log would print', () => {
  expect(Object.keys(new ForgeError('CONFLICT')).toSorted()).toEqual(['code', 'details', 'name']);
});

test('errnoOf reads system errors only', () => {
  expect(errnoOf(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT');
  expect(errnoOf(Object.assign(new Error('x'), { code: 5 }))).toBeUndefined();
  expect(errnoOf({ code: 'ENOENT' })).toBeUndefined();
});

test('messageOf reads whatever was thrown', () => {
  expect([messageOf(new Error('a')), messageOf('b'), messageOf(undefined)]).toEqual([
    'a',
    'b',
    'undefined',
  ]);
});
