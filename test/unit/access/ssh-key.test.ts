// Keys here were made for this file and belong to nobody; fingerprints are what `ssh-keygen -lf` printed.

import { expect, test } from 'vitest';
import { parseSshKey } from '#access/ssh-key.ts';
import { sshKeys, weakRsaKey } from '#support/ssh-keys.ts';

test.each(Object.entries(sshKeys))('%s is accepted, with its fingerprint and comment', (_, key) => {
  const parsed = parseSshKey(`  ${key.line}\n`);
  expect(parsed).toMatchObject({
    kind: 'key',
    key: { fingerprint: key.fingerprint, comment: 'made for a test' },
  });
});

const good = sshKeys.ed25519.line;
const [type = '', blob = ''] = good.split(' ');

test.each([
  ['', /empty/],
  ['hello', /starts with its type/],
  [`no-pty ${good}`, /starts with its type/],
  [`${good}\n${good}`, /one line/],
  [type, /damaged|base64/],
  [`${type} ${blob.slice(0, -1)}`, /base64/],
  [`${type} ${blob.slice(0, -4)}`, /damaged/],
  [`ssh-rsa ${blob}`, /another type/],
  [`${type} ${blob} \u0007`, /control/],
  ['-----BEGIN OPENSSH PRIVATE KEY-----', /private key/],
  ['ssh-dss AAAA', /DSA/],
  ['sk-ssh-ed25519@openssh.com AAAA', /not supported yet/],
  [weakRsaKey, /has 1024 bits/],
  [`${type} ${'A'.repeat(20_000)}`, /too long/],
])('%j is refused with a sentence', (line, sentence) => {
  const parsed = parseSshKey(line);
  expect(parsed.kind).toBe('bad');
  expect(parsed.kind === 'bad' ? parsed.sentence : '').toMatch(sentence);
});

test('a point that is not on its curve is refused', () => {
  const [ecdsa = '', encoded = ''] = sshKeys.ecdsa256.line.split(' ');
  const bytes = Buffer.from(encoded, 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  expect(parseSshKey(`${ecdsa} ${bytes.toString('base64')}`)).toMatchObject({ kind: 'bad' });
});
