// A child gets an allow-list, never our own environment.

import { expect, test } from 'vitest';
import { buildChildEnvironment } from '#process/child-environment.ts';

test('only the allowed names pass', () => {
  const parent = {
    PATH: '/bin',
    HOME: '/home/ada',
    WARREN_TOKEN: 'secret',
    GIT_DIR: '/elsewhere',
    GIT_CONFIG_COUNT: '1',
    LD_PRELOAD: '/evil.so',
    NODE_OPTIONS: '--inspect',
    HTTP_PROXY: 'http://proxy',
    LANG: 'de_DE.UTF-8',
  };
  expect(buildChildEnvironment(parent)).toEqual({ PATH: '/bin', HOME: '/home/ada', LC_ALL: 'C' });
});

test('a parent without HOME gives one that holds nothing', () => {
  expect(buildChildEnvironment({})).toEqual({ LC_ALL: 'C', HOME: '/nonexistent' });
});

test('what the caller adds wins', () => {
  const environment = buildChildEnvironment(
    { PATH: '/bin', HOME: '/a' },
    { HOME: '/b', GIT_PROTOCOL: 'version=2' },
  );
  expect(environment).toEqual({ PATH: '/bin', HOME: '/b', LC_ALL: 'C', GIT_PROTOCOL: 'version=2' });
});
