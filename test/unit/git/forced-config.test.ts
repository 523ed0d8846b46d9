// The configuration no repository can change (transport reference, section 3).

import { expect, test } from 'vitest';
import { forcedArguments, forcedOptions } from '#git/forced-config.ts';

const byKey = new Map(forcedOptions(4).map(([key, value]) => [key, value]));

test.each([
  ['gc.auto', '0'],
  ['maintenance.auto', '0'],
  ['receive.autogc', 'false'],
  ['core.useReplaceRefs', 'false'],
  ['core.fsync', 'objects,derived-metadata,reference'],
  ['core.fsyncMethod', 'fsync'],
  ['transfer.fsckObjects', 'true'],
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
  ['uploadpack.hideRefs', 'refs/warren'],
  ['receive.hideRefs', 'refs/warren'],
  ['receive.advertisePushOptions', 'true'],
  ['http.followRedirects', 'false'],
  ['protocol.ext.allow', 'never'],
])('%s is %s', (key, value) => {
  expect(byKey.get(key)).toBe(value);
});

test('every option says why, and none is there twice', () => {
  for (const [, , why] of forcedOptions(4)) expect(why.length).toBeGreaterThan(5);
  expect(byKey.size).toBe(forcedOptions(4).length);
});

test('hidden refs are plain prefixes: patterns with ! or ^ are not pushed down', () => {
  expect(byKey.get('uploadpack.hideRefs')).not.toMatch(/[!^]/);
});

test.each([
  [1, '1'],
  [2, '1'],
  [4, '2'],
  [15, '3'],
  [64, '6'],
])('on %s cores one pack-objects has %s threads', (cpus, threads) => {
  expect(forcedArguments(cpus)).toContain(`pack.threads=${threads}`);
});

test('each option is a pair of arguments', () => {
  const args = forcedArguments(2);
  expect(args.filter((_, index) => index % 2 === 0).every((arg) => arg === '-c')).toBe(true);
});
