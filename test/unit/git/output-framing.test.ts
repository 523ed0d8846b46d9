// Wherever a child's output is cut, what is added makes a client see the reason.

import { expect, test } from 'vitest';
import { OutputFraming } from '#git/output-framing.ts';
import { encodeBand, encodePacket, flushPacket, parsePacketLength } from '#git/pkt-line.ts';

const delimiter = Buffer.from('0001');
const v2 = Buffer.concat([
  encodePacket('acknowledgments\n'),
  encodePacket('NAK\n'),
  encodePacket('ready\n'),
  delimiter,
  encodePacket('packfile\n'),
  encodeBand(2, 'Counting\r'),
  encodeBand(1, 'PACKxxxx'),
  flushPacket,
]);
const v0 = Buffer.concat([
  encodePacket('NAK\n'),
  encodeBand(2, 'Counting\r'),
  encodeBand(1, 'PACKxxxx'),
  flushPacket,
]);

/** The payloads of a whole packet stream; throws when it is none. */
function payloads(bytes: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = parsePacketLength(bytes, at);
    if (length === undefined || at + Math.max(4, length) > bytes.length) {
      throw new Error(`no packet at ${at}`);
    }
    found.push(length < 4 ? '<special>' : bytes.toString('latin1', at + 4, at + length));
    at += Math.max(4, length);
  }
  return found;
}

/** The output up to the cut, passed in two pieces, with what the interruption adds. */
function interrupted(
  output: Buffer,
  cut: number,
  section: 'text' | 'text-v0' | 'pack' = 'text',
): Buffer {
  const framing = new OutputFraming(section);
  const passed = output.subarray(0, cut);
  framing.wrap(passed.subarray(0, cut >> 1));
  framing.wrap(passed.subarray(cut >> 1));
  expect(framing.bytes).toBe(cut);
  return Buffer.concat([passed, framing.interruption('too long')]);
}

test('a v2 answer cut at every byte ends in ERR before the pack, in band 3 within it', () => {
  const packStarts = v2.indexOf('packfile\n') + 'packfile\n'.length;
  for (let cut = 0; cut < v2.length; cut++) {
    const last = payloads(interrupted(v2, cut)).at(-1);
    const inPack = cut >= packStarts;
    expect(last, `cut at ${cut}`).toBe(inPack ? '\u0003too long\n' : 'ERR too long\n');
  }
});

test('a v0 answer is in its pack after NAK or the last ACK, before a band has come', () => {
  const ack = encodePacket(`ACK ${'a'.repeat(40)}\n`);
  for (const output of [v0, Buffer.concat([encodePacket(`ACK ${'a'.repeat(40)} common\n`), ack])]) {
    const packStarts = output === v0 ? 8 : output.length;
    for (let cut = 0; cut <= output.length - 4; cut++) {
      const expected = cut >= packStarts ? '\u0003too long\n' : 'ERR too long\n';
      const last = payloads(interrupted(output, cut, 'text-v0')).at(-1);
      expect(last, `cut at ${cut}`).toBe(expected);
    }
  }
});

test('output that is sideband from the start ends in band 3', () => {
  for (let cut = 0; cut < 20; cut++) {
    const output = encodeBand(2, 'unpacking 123');
    const last = payloads(interrupted(output, Math.min(cut, output.length), 'pack')).at(-1);
    expect(last).toBe('\u0003too long\n');
  }
});

test('nothing is added to what is no packet stream', () => {
  const framing = new OutputFraming('text');
  framing.wrap(Buffer.from('fatal: not a git repository'));
  expect(framing.interruption('too long')).toHaveLength(0);
});

test('a text packet that only looks like the mark does not begin the pack', () => {
  const output = encodePacket('packfild\n');
  expect(payloads(interrupted(output, output.length)).at(-1)).toBe('ERR too long\n');
});
