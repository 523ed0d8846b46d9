// Puts pack-objects' output into sideband packets, as upload-pack does: the pack on band 1, progress on band 2.
// Every write is made of whole packets, so an error packet fits in anywhere. Callers: transport/serve-clone.

import { encodeBand } from '#git/pkt-line.ts';

/** A side-band-64k packet holds 65,520 bytes with its length and band. */
const maxPayloadBytes = 65_515;

export class PackFraming {
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** The chunk in packets: headers and slices of it, to be written in this order. */
  wrap(chunk: Buffer): readonly Buffer[] {
    const parts: Buffer[] = [];
    for (let at = 0; at < chunk.length; at += maxPayloadBytes) {
      const payload = chunk.subarray(at, at + maxPayloadBytes);
      parts.push(bandHeader(payload.length), payload);
    }
    this.#bytes += chunk.length;
    return parts;
  }

  interruption(sentence: string): Buffer {
    return encodeBand(3, `${sentence}\n`);
  }
}

function bandHeader(payloadBytes: number): Buffer {
  return Buffer.from(`${(payloadBytes + 5).toString(16).padStart(4, '0')}\u0001`, 'latin1');
}
