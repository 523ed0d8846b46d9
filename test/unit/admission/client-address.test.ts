// Where a request comes from: a forwarded header is believed only from a trusted proxy.

import { expect, test } from 'vitest';
import {
  clientKeyOf,
  parseTrustedProxies,
  resolveClientAddress,
} from '#admission/client-address.ts';
import { anonymous } from '#model/actor.ts';

const trusted = parseTrustedProxies(['10.0.0.0/8', '::1', 'fd00::/8']);

test.each([
  ['192.0.2.1', undefined, '192.0.2.1', 'socket'],
  ['192.0.2.1', '198.51.100.1', '192.0.2.1', 'rejected_forwarded'],
  ['10.1.1.1', '198.51.100.1', '198.51.100.1', 'forwarded'],
  ['::ffff:10.1.1.1', '198.51.100.1', '198.51.100.1', 'forwarded'],
  ['::1', '198.51.100.1', '198.51.100.1', 'forwarded'],
  ['10.1.1.1', '203.0.113.9, 198.51.100.1, 10.2.2.2', '198.51.100.1', 'forwarded'],
  ['10.1.1.1', '10.9.9.9, 10.2.2.2', '10.9.9.9', 'forwarded'],
  ['10.1.1.1', '203.0.113.9, junk', '10.1.1.1', 'rejected_forwarded'],
  ['10.1.1.1', '', '10.1.1.1', 'rejected_forwarded'],
  ['10.1.1.1', '2001:db8::1', '2001:db8::1', 'forwarded'],
  [undefined, '198.51.100.1', 'unknown', 'missing'],
] as const)('peer %s with %s is %s by %s', (peer, forwarded, address, source) => {
  expect(resolveClientAddress(peer, forwarded, trusted)).toEqual({ address, source });
});

test.each([
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', true],
  ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
  ['unknown', 'unknown', true],
])('%s and %s are one client: %s', (a, b, same) => {
  expect(clientKeyOf(anonymous, a) === clientKeyOf(anonymous, b)).toBe(same);
});

test('an account is one client wherever it comes from', () => {
  const ann = { kind: 'account', name: 'ann', groups: [], operator: false } as const;
  expect(clientKeyOf(ann, '192.0.2.1')).toBe('account:ann');
});

test.each(['10.0.0.0/99', 'nowhere', '10.0.0.256', 'fd00::/129'])('%s is no proxy', (entry) => {
  expect(() => parseTrustedProxies([entry])).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID' }),
  );
});
