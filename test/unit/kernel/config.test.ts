// Reading the environment: all mistakes at once, each with its name, what was expected and a hint.

import { describe, expect, test } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { isForgeError } from '#kernel/forge-error.ts';
import { durationSetting, portSetting, textSetting, urlSetting } from '#kernel/setting.ts';

const port = portSetting({ name: 'WARREN_HTTP_PORT', default: 8080, text: 'A port.' });
const wait = durationSetting({ name: 'WARREN_WAIT', default: '5s', text: 'A wait.' });
const folder = textSetting({ name: 'WARREN_DATA_DIR', default: './data', text: 'A folder.' });
const address = urlSetting({ name: 'WARREN_PUBLIC_URL', text: 'An address.' });
const settings = [port, wait, folder, address];

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, settings);
    return [];
  } catch (error) {
    if (!isForgeError(error, 'CONFIG_INVALID')) throw error;
    const { problems } = error.details;
    return Array.isArray(problems) ? problems : [];
  }
}

test('values of the environment replace defaults', () => {
  const config = readConfig({ WARREN_HTTP_PORT: '0', WARREN_WAIT: '250ms' }, settings);
  expect([config.get(port), config.get(wait), config.get(folder)]).toEqual([0, 250, './data']);
  expect([config.has(port), config.has(folder)]).toEqual([true, false]);
});

test('names of other programs are none of our business', () => {
  expect(problemsOf({ PATH: '/bin', HTTP_PORT: 'x', XWARREN_Y: '1' })).toEqual([]);
});

test('an empty value is as if unset', () => {
  const config = readConfig({ WARREN_HTTP_PORT: '', WARREN_PUBLIC_URL: '' }, settings);
  expect([config.get(port), config.has(port), config.get(address)]).toEqual([
    8080,
    false,
    undefined,
  ]);
});

test('all mistakes are reported together', () => {
  const env = { WARREN_HTTP_PORT: '99999', WARREN_WAIT: '5', WARREN_NOTHING_LIKE_IT: '1' };
  expect(problemsOf(env)).toEqual([
    'WARREN_HTTP_PORT must be a whole number from 0 to 65535, not "99999"',
    'WARREN_WAIT must be a duration above 0 such as 5s or 250ms, not "5"',
    'WARREN_NOTHING_LIKE_IT is no setting of this program',
  ]);
});

test('the message of the error holds every problem', () => {
  expect(() => readConfig({ WARREN_WAIT: 'x', WARREN_HTTP_PORT: 'y' }, settings)).toThrow(
    /^The configuration is not valid: WARREN_WAIT must .*; WARREN_HTTP_PORT must /,
  );
});

describe('did you mean', () => {
  test.each([
    ['WARREN_HTTP_PRT', 'a letter is missing'],
    ['WARREN_HTTP_PORTS', 'a letter is too many'],
    ['WARREN_HTTP_PROT', 'letters are swapped'],
    ['WARREN_HTTPPORT', 'a line is missing'],
  ])('%s: %s', (name) => {
    const [problem] = problemsOf({ [name]: '1' });
    expect(problem).toBe(`${name} is no setting of this program; did you mean WARREN_HTTP_PORT?`);
  });

  test('nothing is suggested for a name that is like no other', () => {
    expect(problemsOf({ WARREN_COLOUR: 'red' })[0]).not.toContain('did you mean');
  });
});

test('asking for a setting that was not registered is a bug and throws', () => {
  const other = textSetting({ name: 'WARREN_OTHER', text: 'Another.' });
  expect(() => readConfig({}, settings).get(other)).toThrow('WARREN_OTHER is not registered');
});
