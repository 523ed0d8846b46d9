// The log writes one JSON object a line, and no secret.

import { describe, expect, test } from 'vitest';
import { ForgeError } from '#kernel/forge-error.ts';
import { createLog, redact } from '#kernel/log.ts';

const token = `wrn_${'a1B2'.repeat(10)}`;

function collect(level: 'debug' | 'info' | 'warn' | 'error' = 'info') {
  const lines: string[] = [];
  return { lines, log: createLog((line) => lines.push(line), level) };
}

describe('redaction', () => {
  test.each([
    ['a token in a text', { message: `used ${token} twice` }, token],
    ['a token as a value', { value: token }, token],
    ['a field named authorization', { headers: { Authorization: 'Basic c2VjcmV0' } }, 'c2VjcmV0'],
    ['a field named password', { newPassword: 'hunter2' }, 'hunter2'],
    ['a field named token', { token: 'abc123' }, 'abc123'],
    ['a cookie', { 'set-cookie': ['session=abc'] }, 'session'],
    ['a secret deep inside', { a: { b: [{ clientSecret: 'xyz' }] } }, 'xyz'],
    ['the password of an address', { url: 'https://me:pass@host.test/a.git' }, 'pass'],
    ['a token alone before the host', { url: 'https://ghp_123@host.test/a.git' }, 'ghp_123'],
    ['the password of a database', { url: 'postgres://me:pass@host.test/db' }, 'pass'],
    ['an address object', { url: new URL('https://me:pass@host.test/') }, 'pass'],
    ['raw headers', { rawHeaders: ['Authorization', 'Basic YTpiY2Q='] }, 'YTpiY2Q='],
    ['a bearer header in a text', { text: 'Authorization: Bearer eyJhbGciOi.x' }, 'eyJ'],
    ['the message of an error', { error: new Error(`bad ${token}`) }, token],
    ['the cause of an error', { error: new Error('x', { cause: new Error(token) }) }, token],
    ['the details of an error', { error: new ForgeError('INTERNAL', { password: 'pw1' }) }, 'pw1'],
  ])('hides %s', (_, fields, secret) => {
    const { lines, log } = collect();
    log.info('test', fields);
    expect(lines[0]).toContain('[redacted]');
    expect(lines[0]).not.toContain(secret);
  });

  test.each([
    'ssh://git@host.test/a.git',
    'https://host.test/a@b',
    'Basic authentication is needed',
    'wrn_short',
  ])('leaves %j as it is', (text) => {
    expect(redact(text)).toBe(text);
  });

  test('does not go round in circles, and says where it stopped', () => {
    const circle: Record<string, unknown> = { token };
    circle['self'] = circle;
    const text = JSON.stringify(redact(circle));
    expect(text).toContain('[deep]');
    expect(text).not.toContain(token);
  });

  test('keeps dates, large numbers and the code of an error readable', () => {
    const { lines, log } = collect();
    log.info('test', { when: new Date(0), big: 10n, error: new ForgeError('NOT_FOUND') });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      when: '1970-01-01T00:00:00.000Z',
      big: '10',
      error: { code: 'NOT_FOUND', message: 'Not found' },
    });
  });
});

test('a line has time, level, message and the fields of the log it came from', () => {
  const { lines, log } = collect();
  log.with({ requestId: 'r1' }).warn('slow', { durationMs: 5 });
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    level: 'warn',
    message: 'slow',
    requestId: 'r1',
    durationMs: 5,
  });
  expect(lines[0]).not.toContain('\n');
});

test.each([
  ['debug', 4],
  ['info', 3],
  ['warn', 2],
  ['error', 1],
] as const)('level %s writes %d of the four', (level, count) => {
  const { lines, log } = collect(level);
  log.debug('1');
  log.info('2');
  log.warn('3');
  log.error('4');
  expect(lines).toHaveLength(count);
});
