// Only a well-formed Git-Protocol value reaches git.

import { expect, test } from 'vitest';
import { parseProtocolRequest } from '#git/protocol-version.ts';

test.each([
  [undefined, 0, undefined],
  ['version=2', 2, 'version=2'],
  ['version=1', 1, 'version=1'],
  ['version=0', 0, 'version=0'],
  ['version=1:version=2', 2, 'version=1:version=2'],
  ['version=2:version=1', 2, 'version=2:version=1'],
  ['version=2:side-channel', 2, 'version=2:side-channel'],
  ['version=3', 0, 'version=3'],
  ['version=2, version=2', 0, undefined],
  ['version=2\nGIT_DIR=/', 0, undefined],
  ['version=2;rm', 0, undefined],
  ['', 0, undefined],
  [':version=2', 0, undefined],
  ['version=2:', 0, undefined],
  [`version=2:${'x'.repeat(300)}`, 0, undefined],
])('%j asks for version %s', (value, version, environment) => {
  expect(parseProtocolRequest(value)).toEqual({ version, environment });
});

test('a hostile value is refused in no time', () => {
  const startedMs = performance.now();
  parseProtocolRequest(`${'a=:'.repeat(85)}!`);
  parseProtocolRequest(`${'a:'.repeat(127)}!`);
  expect(performance.now() - startedMs).toBeLessThan(50);
});
