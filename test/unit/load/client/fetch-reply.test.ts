import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FetchReply } from '#load/client/fetch-reply.ts';

const objects = Buffer.from('not really deflated objects');

function buildPack(count: number): Buffer {
  const header = Buffer.alloc(12);
  header.write('PACK', 0, 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  const content = Buffer.concat([header, objects]);
  return Buffer.concat([content, createHash('sha1').update(content).digest()]);
}

function packet(...parts: (Buffer | string)[]): Buffer {
  const payload = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from((payload.length + 4).toString(16).padStart(4, '0')), payload]);
}

function band(number: number, data: Buffer | string): Buffer {
  return packet(Buffer.of(number), data);
}

function buildAnswer(pack: Buffer): Buffer {
  return Buffer.concat([
    packet('shallow-info\n'),
    packet(`shallow ${'a'.repeat(40)}`),
    Buffer.from('0001'),
    packet('packfile\n'),
    band(2, 'Counting objects\r'),
    band(1, pack.subarray(0, 5)),
    band(1, pack.subarray(5)),
    Buffer.from('0000'),
  ]);
}

function readAnswer(answer: Buffer, chunkBytes: number) {
  const reply = new FetchReply({ verifyChecksum: true });
  for (let at = 0; at < answer.length; at += chunkBytes)
    reply.push(answer.subarray(at, at + chunkBytes));
  return reply.finish();
}

describe('FetchReply', () => {
  const pack = buildPack(7);

  it.each([1, 3, 7, 10_000])(
    'counts the pack whatever the chunks (%i bytes each)',
    (chunkBytes) => {
      expect(readAnswer(buildAnswer(pack), chunkBytes)).toEqual({
        objects: 7,
        packBytes: pack.length,
      });
    },
  );

  it('refuses an answer that is cut before its flush', () => {
    expect(() => readAnswer(buildAnswer(pack).subarray(0, -4), 64)).toThrow(
      'cut in section "packfile"',
    );
  });

  it('refuses a pack whose checksum is wrong', () => {
    const broken = Buffer.from(pack);
    broken[14]! ^= 1;
    expect(() => readAnswer(buildAnswer(broken), 64)).toThrow('checksum');
  });

  it('takes an ERR packet and band 3 for the failures they are', () => {
    expect(() => readAnswer(packet('ERR too many clones\n'), 64)).toThrow('ERR too many clones');
    const fatal = Buffer.concat([packet('packfile\n'), band(3, 'out of memory\n')]);
    expect(() => readAnswer(fatal, 64)).toThrow('band 3: out of memory');
  });

  it('refuses bytes after the end', () => {
    const answer = Buffer.concat([buildAnswer(pack), Buffer.from('0000')]);
    expect(() => readAnswer(answer, 64)).toThrow('after the final flush');
  });
});
