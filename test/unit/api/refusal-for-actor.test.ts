// Who may call what, before anything is looked up.

import { expect, test } from 'vitest';
import type { Route } from '#api/api-route.ts';
import { refusalForActor } from '#api/refusal-for-actor.ts';
import { type Actor, anonymous } from '#model/actor.ts';

const anna: Actor = { kind: 'account', name: 'anna', groups: [], operator: false };
const root: Actor = { kind: 'account', name: 'root', groups: [], operator: true };
const reader: Actor = { ...root, readOnly: true };

type Row = [Route['who'], Route['method'], Actor, string, number | undefined];
const rows: Row[] = [
  ['anyone', 'get', anonymous, '', undefined],
  ['account', 'get', anonymous, '', 401],
  ['self', 'get', anonymous, 'anna', 401],
  ['operator', 'get', anonymous, '', 401],
  ['account', 'get', anna, '', undefined],
  ['self', 'post', anna, 'anna', undefined],
  ['self', 'get', anna, 'bert', 403],
  // An account whose path is empty or missing is nobody's own.
  ['self', 'get', anna, '', 403],
  ['operator', 'get', anna, '', 403],
  ['self', 'post', root, 'anna', undefined],
  ['operator', 'post', root, '', undefined],
  ['operator', 'get', reader, '', undefined],
  ['operator', 'post', reader, '', 403],
  ['self', 'delete', reader, 'root', 403],
];

test.each(rows)('%s: %s by %o of "%s" is answered with %s', (...row) => {
  const [who, method, actor, account, status] = row;
  expect(refusalForActor({ who, method }, actor, account)?.status).toBe(status);
});
