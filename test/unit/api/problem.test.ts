// What of an error reaches a client, and what does not.

import { expect, test } from 'vitest';
import { buildProblem, problemOfError } from '#api/problem.ts';
import { ForgeError } from '#kernel/forge-error.ts';

test('an error of ours for the client keeps its sentence; one for the operator stays inside', () => {
  const forClient = problemOfError(new ForgeError('CONFLICT', { sentence: 'It is there.' }));
  expect(forClient?.body).toEqual({
    type: 'urn:warren:problem:conflict',
    title: 'This exists already or has changed meanwhile',
    status: 409,
    code: 'CONFLICT',
    detail: 'It is there.',
  });
  expect(problemOfError(new ForgeError('REPOSITORY_UNUSABLE', { path: '/data' }))).toBeUndefined();
  expect(problemOfError(new TypeError('inside'))).toBeUndefined();
  expect(problemOfError('a string')).toBeUndefined();
});

test('a limit that was thrown says which and when to come back', () => {
  const details = { limit: 'password_checks', reason: 'queue_timeout', retryAfterSeconds: 3 };
  expect(problemOfError(new ForgeError('LIMIT_REACHED', details))).toMatchObject({
    status: 503,
    headers: { 'retry-after': '3', 'x-warren-limit': 'password_checks;reason=queue_timeout' },
  });
});

test('only a 401 asks for credentials, and not in a way that makes browsers ask', () => {
  expect(buildProblem('UNAUTHENTICATED').headers['www-authenticate']).toMatch(/^Bearer /);
  expect(buildProblem('FORBIDDEN').headers).toEqual({});
});
