// Sizes and durations as people write them.

import { describe, expect, test } from 'vitest';
import { formatBytes, formatDuration, parseBytes, parseDurationMs } from '#kernel/units.ts';

describe('parseBytes', () => {
  test.each([
    ['0', 0],
    ['1000', 1000],
    ['1B', 1],
    ['8MiB', 8 * 2 ** 20],
    ['8Mi', 8 * 2 ** 20],
    ['1GiB', 2 ** 30],
    ['1TiB', 2 ** 40],
    ['5kB', 5000],
    ['5MB', 5_000_000],
    [' 4KiB ', 4096],
  ])('reads %j as %d bytes', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  test.each(['', '-1', '1.5MiB', '8 MiB', '8mib', '8PiB', '1e3', '0x10', 'MiB', '9999999999TiB'])(
    'refuses %j',
    (text) => {
      expect(parseBytes(text)).toBeUndefined();
    },
  );

  test('takes no name of Object for a unit', () => {
    expect(parseBytes('1constructor')).toBeUndefined();
    expect(parseBytes('1toString')).toBeUndefined();
  });
});

describe('parseDurationMs', () => {
  test.each([
    ['250ms', 250],
    ['5s', 5000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0s', 0],
  ])('reads %j as %d ms', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  test.each(['', '5', '5S', '5 s', '-5s', '1.5s', '5min', '5w', 's'])('refuses %j', (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });
});

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [8 * 2 ** 20, '8 MiB'],
  [20 * 2 ** 30, '20 GiB'],
])('formatBytes writes %d as %j', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [1500, '1.5 s'],
  [119_000, '119 s'],
  [600_000, '10 min'],
])('formatDuration writes %d as %j', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
