// git's packet lines (gitprotocol-common): encoding, and the lengths to decode them. Pure.

export const flushPacket: Buffer = Buffer.from('0000');
export const delimiterPacket: Buffer = Buffer.from('0001');
export const maxPacketBytes = 65_520;
export const headerBytes = 4;

/** A data packet. @throws TypeError past 65,516 bytes of payload. */
export function encodePacket(payload: string | Buffer): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const length = body.length + headerBytes;
  if (length > maxPacketBytes) throw new TypeError('a packet holds at most 65,516 bytes');
  return Buffer.concat([Buffer.from(length.toString(16).padStart(4, '0')), body]);
}

/** Payload on a band of the sideband: 1 data, 2 progress, 3 fatal error. */
export function encodeBand(band: 1 | 2 | 3, payload: string | Buffer): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
  return encodePacket(Buffer.concat([Buffer.from([band]), body]));
}

/** `ERR text`: the client prints `fatal: remote error: text`. */
export function encodeError(sentence: string): Buffer {
  return encodePacket(`ERR ${sentence}\n`);
}

/**
 * The length a packet header states: 0 flush, 1 delimiter, 2 response end, else 4 or more with the header.
 * undefined when it is no header.
 */
export function parsePacketLength(header: Buffer, offset = 0): number | undefined {
  let length = 0;
  for (let at = offset; at < offset + headerBytes; at++) {
    const digit = hexDigit(header[at]);
    if (digit === undefined) return undefined;
    length = length * 16 + digit;
  }
  return length === 3 || length > maxPacketBytes ? undefined : length;
}

function hexDigit(byte: number | undefined): number | undefined {
  if (byte === undefined) return undefined;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined;
}
