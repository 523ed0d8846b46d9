// The declared settings agree with themselves.

import { expect, test } from 'vitest';
import { readConfig } from '#kernel/config.ts';
import { baseSettings, httpPort, logLevel, publicUrl } from '#kernel/settings.ts';

test('every default is a value its own setting accepts', () => {
  for (const setting of baseSettings) {
    const { name, defaultText } = setting;
    if (defaultText !== undefined)
      expect([name, setting.parse(defaultText).ok]).toEqual([name, true]);
  }
});

test('no name is declared twice and every text is a sentence', () => {
  const names = baseSettings.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  for (const { name, text } of baseSettings) expect([name, text]).toEqual([name, text.trim()]);
  expect(baseSettings.filter(({ text }) => !text.endsWith('.'))).toEqual([]);
});

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({}, baseSettings);
  expect(config.get(httpPort)).toBe(8080);
  expect(config.get(logLevel)).toBe('info');
  expect(config.get(publicUrl)).toBeUndefined();
});
