// Follows the packet lines of a child's output as it passes by, so that an error packet can be put at a packet
// boundary when the child must be ended in the middle (time limit, its own death). Callers: transport.

import { encodeBand, encodeError, headerBytes, parsePacketLength } from '#git/pkt-line.ts';

type Section = 'text' | 'text-v0' | 'pack';

/** The pack comes in sideband packets after one of these; before it, ERR is understood. */
const packMarks = {
  text: /^packfile\n$/,
  'text-v0': /^(NAK|ACK [0-9a-f]+)\n$/,
} as const;
const longestMarkBytes = 'ACK \n'.length + 64;
/** Whatever came before, a packet that begins with a band is sideband. */
const maxBand = 3;
/** Completes a length that was cut off: it stays as short as it can, and a packet (0000 would be a flush). */
const shortestHeaders = { zero: '0005', other: '0000' } as const;

export class OutputFraming {
  #header: Buffer = Buffer.alloc(0);
  #missingBytes = 0;
  #section: Section;
  #candidate: Buffer | undefined;
  /** Nothing of the present packet's payload has passed yet. */
  #atStart = true;
  #broken = false;
  #bytes = 0;

  /** @param section 'pack' for output that is sideband from the start (receive-pack); text-v0 for upload-pack in v0, v1. */
  constructor(section: Section) {
    this.#section = section;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes note of a chunk on its way to the client; it is passed on as it is. */
  wrap(chunk: Buffer): readonly Buffer[] {
    this.#follow(chunk);
    return [chunk];
  }

  #follow(chunk: Buffer): void {
    this.#bytes += chunk.length;
    let at = 0;
    while (at < chunk.length && !this.#broken) {
      if (this.#missingBytes > 0) {
        const taken = Math.min(this.#missingBytes, chunk.length - at);
        this.#note(chunk.subarray(at, at + taken));
        this.#missingBytes -= taken;
        at += taken;
        continue;
      }
      const wanted = headerBytes - this.#header.length;
      this.#header = Buffer.concat([this.#header, chunk.subarray(at, at + wanted)]);
      at += wanted;
      if (this.#header.length === headerBytes) this.#begin();
    }
  }

  /** The bytes that tell the client why it ends here; empty when the output is no packet stream (any more). */
  interruption(sentence: string): Buffer {
    const rest = this.#completeHeader();
    if (this.#broken) return Buffer.alloc(0);
    const error = this.#section === 'pack' ? encodeBand(3, `${sentence}\n`) : encodeError(sentence);
    // The rest of a begun packet is filled up: its content is lost anyway.
    const filling = Buffer.alloc(this.#missingBytes);
    // A packet whose band has not come yet needs one; data is not printed.
    if (this.#atStart && filling.length > 0 && this.#section === 'pack') filling[0] = 1;
    return Buffer.concat([rest, filling, error]);
  }

  /** Cut within a length: it is made the start of a packet, so that another can follow. */
  #completeHeader(): Buffer {
    if (this.#header.length === 0) return Buffer.alloc(0);
    const shortest = /^0+$/.test(this.#header.toString('latin1')) ? 'zero' : 'other';
    const rest = Buffer.from(shortestHeaders[shortest].slice(this.#header.length));
    this.#header = Buffer.concat([this.#header, rest]);
    this.#begin();
    return rest;
  }

  #begin(): void {
    const length = parsePacketLength(this.#header);
    this.#header = Buffer.alloc(0);
    if (length === undefined) this.#broken = true;
    this.#missingBytes = Math.max(0, (length ?? 0) - headerBytes);
    this.#atStart = true;
    this.#candidate = this.#missingBytes <= longestMarkBytes ? Buffer.alloc(0) : undefined;
  }

  #note(part: Buffer): void {
    const [first] = part;
    if (this.#atStart && first !== undefined && first > 0 && first <= maxBand) {
      this.#section = 'pack';
    }
    this.#atStart = false;
    if (this.#section === 'pack' || this.#candidate === undefined) return;
    this.#candidate = Buffer.concat([this.#candidate, part]);
    if (packMarks[this.#section].test(this.#candidate.toString('latin1'))) this.#section = 'pack';
  }
}
