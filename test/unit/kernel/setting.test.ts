// What each kind of setting accepts, and what it says it expects.

import { describe, expect, test } from 'vitest';
import {
  bytesSetting,
  durationSetting,
  listSetting,
  numberSetting,
  portSetting,
  textSetting,
  urlSetting,
} from '#kernel/setting.ts';

const text = 'For the test.';
const name = 'WARREN_TEST';

describe('accepted', () => {
  test.each([
    ['text', textSetting({ name, text }), 'any thing', 'any thing'],
    ['a port', portSetting({ name, text, default: 1 }), '65535', 65_535],
    ['any free port', portSetting({ name, text, default: 1 }), '0', 0],
    ['a number', numberSetting({ name, text, default: 1, min: 1, max: 9 }), '9', 9],
    ['bytes', bytesSetting({ name, text, default: '1' }), '8MiB', 8_388_608],
    ['a duration', durationSetting({ name, text, default: '1s' }), '5s', 5000],
    ['a list', listSetting({ name, text }), ' a, b ,,c', ['a', 'b', 'c']],
    ['a list of known words', listSetting({ name, text, oneOf: ['x', 'y'] }), 'y,x', ['y', 'x']],
  ])('%s', (_, setting, raw, value) => {
    expect(setting.parse(raw)).toEqual({ ok: true, value });
  });

  test.each(['http://localhost:8080', 'https://git.example.test/'])('the address %s', (raw) => {
    expect(urlSetting({ name, text }).parse(raw)).toEqual({ ok: true, value: new URL(raw) });
  });
});

describe('refused', () => {
  const port = portSetting({ name, text, default: 1 });
  const bytes = bytesSetting({ name, text, default: '1' });
  const duration = durationSetting({ name, text, default: '1s' });
  const url = urlSetting({ name, text });
  test.each([
    ['a port too high', port, '65536', 'a whole number from 0 to 65535'],
    ['a negative port', port, '-1', 'a whole number from 0 to 65535'],
    ['a port with a fraction', port, '80.5', 'a whole number from 0 to 65535'],
    ['a hexadecimal port', port, '0x50', 'a whole number from 0 to 65535'],
    [
      'a number below its least',
      numberSetting({ name, text, default: 1, min: 1, max: 9 }),
      '0',
      '1 to 9',
    ],
    ['no bytes at all', bytes, '0', 'a size above 0 such as 8MiB'],
    ['an unknown unit', bytes, '8mb', 'a size above 0 such as 8MiB'],
    ['a duration without unit', duration, '5', 'a duration above 0'],
    ['no duration at all', duration, '0s', 'a duration above 0'],
    ['an address with a path', url, 'http://localhost/git', 'without a path'],
    ['another protocol', url, 'ftp://localhost', 'http or https'],
    ['no address', url, 'localhost:8080', 'http or https'],
    ['an unknown word', listSetting({ name, text, oneOf: ['x', 'y'] }), 'x,z', 'a list of x, y'],
  ])('%s', (_, setting, raw, expected) => {
    const parsed = setting.parse(raw);
    expect(parsed.ok ? parsed : parsed.expected).toContain(expected);
  });
});
