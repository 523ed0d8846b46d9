// The sentence for each kind of mistake; none repeats a value.

import { expect, test } from 'vitest';
import { createBodyCheck } from '#api/check-body.ts';
import { bodySchema } from '#api/schemas.ts';

const check = createBodyCheck(
  bodySchema(
    {
      name: { type: 'string' },
      groups: { type: 'array', items: { type: 'string' } },
      visibility: { type: 'string', enum: ['public', 'private'] },
    },
    { required: ['name'] },
  ),
);

test.each([
  [{ name: 'a' }, undefined],
  [{}, 'The field "name" is missing.'],
  [{ name: 'a', grop: 1 }, /^"grop" is no field here/],
  [{ name: 'a', groups: ['b', 3] }, '"groups.1" must be string.'],
  [{ name: 'a', visibility: 'secret' }, '"visibility" must be one of public, private.'],
  [null, 'The body must be object.'],
])('%j: %s', (body, sentence) => {
  if (sentence instanceof RegExp) expect(check(body)).toMatch(sentence);
  else expect(check(body)).toBe(sentence);
});
