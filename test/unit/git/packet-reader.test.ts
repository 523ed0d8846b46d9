// Packets are read the same wherever the stream is cut.

import { expect, test } from 'vitest';
import { type Packet, PacketReader } from '#git/packet-reader.ts';

async function* chunksOf(...parts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

async function readAll(reader: PacketReader): Promise<string[]> {
  const shown: string[] = [];
  for (;;) {
    const packet = await reader.next();
    if (packet === undefined) return shown;
    shown.push(show(packet));
  }
}

function show(packet: Packet): string {
  return packet.kind === 'data' ? packet.payload.toString() : `<${packet.kind}>`;
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

const stream = '0006a\n00010008abcd00020004000000060000';
const whole = ['a\n', '<delimiter>', 'abcd', '<response-end>', '', '<flush>'];

test('every kind of packet, split at every byte', async () => {
  for (let cut = 0; cut <= stream.length; cut++) {
    const reader = new PacketReader(chunksOf(stream.slice(0, cut), stream.slice(cut)));
    const packets: string[] = [];
    for (let count = 0; count < whole.length; count++) {
      const packet = await reader.next();
      packets.push(packet === undefined ? 'end' : show(packet));
    }
    expect(packets, `cut at ${cut}`).toEqual(whole);
    expect(await collect(reader.rest())).toBe('00060000');
  }
});

test('one byte at a time, up to a clean end', async () => {
  const reader = new PacketReader(chunksOf(...'0006a\n0000'.split('')));
  expect(await readAll(reader)).toEqual(['a\n', '<flush>']);
  expect(reader.bytesRead).toBe(10);
});

test.each(['0', '000', '0006', '0006a', '0006a\n00'])(
  'an end inside a packet: %j',
  async (text) => {
    await expect(readAll(new PacketReader(chunksOf(text)))).rejects.toMatchObject({
      code: 'PROTOCOL_ERROR',
    });
  },
);

test.each(['0003', 'PACK', 'GET ', 'ffff', 'zzzz'])('no length: %s', async (text) => {
  await expect(readAll(new PacketReader(chunksOf(text)))).rejects.toMatchObject({
    code: 'PROTOCOL_ERROR',
  });
});

test('what follows the packets is handed on whole, wherever it is cut', async () => {
  const pack = `PACK${'x'.repeat(50)}`;
  const bytes = `0000${pack}`;
  for (let cut = 1; cut < bytes.length; cut++) {
    const reader = new PacketReader(chunksOf(bytes.slice(0, cut), bytes.slice(cut)));
    await reader.next();
    expect(await collect(reader.rest())).toBe(pack);
  }
});

test('a failing source fails the reader with its own error', async () => {
  const source = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from('00');
    throw new Error('broken off');
  };
  await expect(new PacketReader(source()).next()).rejects.toThrow('broken off');
});
