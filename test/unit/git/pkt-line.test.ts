// Packet lines as gitprotocol-common defines them.

import { expect, test } from 'vitest';
import {
  delimiterPacket,
  encodeBand,
  encodeError,
  encodePacket,
  flushPacket,
  parsePacketLength,
} from '#git/pkt-line.ts';

test.each([
  ['0000', 0],
  ['0001', 1],
  ['0002', 2],
  ['0003', undefined],
  ['0004', 4],
  ['000a', 10],
  ['000A', 10],
  ['fff0', 65_520],
  ['fff1', undefined],
  ['ffff', undefined],
  ['00g0', undefined],
  ['+001', undefined],
  [' 001', undefined],
  ['-001', undefined],
  ['0x10', undefined],
  ['000', undefined],
  ['', undefined],
])('the header %j means %s', (header, length) => {
  expect(parsePacketLength(Buffer.from(header))).toBe(length);
});

test('a header is read at an offset', () => {
  expect(parsePacketLength(Buffer.from('xx0008'), 2)).toBe(8);
});

test.each([
  ['a\n', '0006a\n'],
  ['', '0004'],
  ['ä', '0006ä'],
])('%j is written as %j', (payload, packet) => {
  expect(encodePacket(payload).toString()).toBe(packet);
});

test('the longest payload fits, one byte more is a mistake of the caller', () => {
  expect(encodePacket(Buffer.alloc(65_516)).subarray(0, 4).toString()).toBe('fff0');
  expect(() => encodePacket(Buffer.alloc(65_517))).toThrow(TypeError);
});

test('bands, errors and the special packets', () => {
  expect(encodeBand(3, 'no\n').toString()).toBe('0008\u0003no\n');
  expect(encodeError('busy').toString()).toBe('000dERR busy\n');
  expect([flushPacket.toString(), delimiterPacket.toString()]).toEqual(['0000', '0001']);
});
