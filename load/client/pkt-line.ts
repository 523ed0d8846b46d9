// Protocol v2 packets as the raw generator needs them: requests built once, small answers parsed whole.

export type Packet =
  { readonly kind: 'data'; readonly data: Buffer } | { readonly kind: 'flush' | 'delim' };

/** One packet: four hex digits of length, then the text. */
export function encodePacket(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
}

/** @throws Error when the bytes end inside a packet or hold a bad length. */
export function parsePackets(bytes: Buffer): Packet[] {
  const packets: Packet[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = parseLength(bytes.subarray(at, at + 4));
    if (length < 4) {
      packets.push({ kind: length === 0 ? 'flush' : 'delim' });
      at += 4;
      continue;
    }
    if (at + length > bytes.length) throw new Error('answer ends inside a packet');
    packets.push({ kind: 'data', data: bytes.subarray(at + 4, at + length) });
    at += length;
  }
  return packets;
}

/** The length field of a packet. */
export function parseLength(header: Buffer): number {
  const text = header.toString('latin1');
  if (!/^[0-9a-f]{4}$/i.test(text)) throw new Error(`bad packet length ${JSON.stringify(text)}`);
  const length = Number.parseInt(text, 16);
  if (length === 3) throw new Error('packet length 3');
  return length;
}
