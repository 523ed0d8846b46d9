// Checks the answer to a v2 fetch while it streams: sections in order, sideband framing, pack header, final flush.
// The pack itself is counted, not kept; with `hash` its trailing checksum is proven too.

import { createHash, type Hash } from 'node:crypto';
import { parseLength } from '#load/client/pkt-line.ts';

const trailerBytes = 20;

export type FetchSummary = { readonly packBytes: number; readonly objects: number };

export class FetchReply {
  readonly #hash: Hash | undefined;
  #header: Buffer = Buffer.alloc(0);
  #line: Buffer[] = [];
  /** Bytes of the current packet still to come; the first of them is the band inside `packfile`. */
  #remaining = 0;
  #section = '';
  #band = 0;
  #ended = false;
  #packBytes = 0;
  #packHeader: Buffer = Buffer.alloc(0);
  #trailer: Buffer = Buffer.alloc(0);

  constructor(options: { readonly verifyChecksum: boolean }) {
    this.#hash = options.verifyChecksum ? createHash('sha1') : undefined;
  }

  /** @throws Error at the first byte that is not what the protocol says, with the server's text when it sent some. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#remaining === 0) at = this.#takeHeader(chunk, at);
      else {
        const piece = chunk.subarray(at, at + this.#remaining);
        at += piece.length;
        this.#remaining -= piece.length;
        this.#takePayload(piece);
      }
    }
  }

  /** @throws Error when the answer was cut. */
  finish(): FetchSummary {
    if (!this.#ended) throw new Error(`fetch answer is cut in section "${this.#section}"`);
    if (this.#packHeader.subarray(0, 4).toString('latin1') !== 'PACK')
      throw new Error('fetch answer holds no pack');
    if (this.#hash && !this.#hash.digest().equals(this.#trailer))
      throw new Error('the checksum of the pack is wrong');
    return { packBytes: this.#packBytes, objects: this.#packHeader.readUInt32BE(8) };
  }

  #takeHeader(chunk: Buffer, from: number): number {
    if (this.#ended) throw new Error('bytes after the final flush');
    const piece = chunk.subarray(from, from + 4 - this.#header.length);
    this.#header = this.#header.length === 0 ? piece : Buffer.concat([this.#header, piece]);
    if (this.#header.length === 4) {
      const length = parseLength(this.#header);
      this.#header = Buffer.alloc(0);
      this.#band = 0;
      if (length === 0) this.#ended = true;
      else if (length < 4) this.#section = '';
      else this.#remaining = length - 4;
    }
    return from + piece.length;
  }

  #takePayload(piece: Buffer): void {
    if (this.#section === 'packfile') this.#takeBand(piece);
    else {
      this.#line.push(piece);
      if (this.#remaining === 0)
        this.#takeLine(Buffer.concat(this.#line.splice(0)).toString().trim());
    }
  }

  #takeLine(line: string): void {
    if (line.startsWith('ERR ')) throw new Error(line);
    if (this.#section === '') this.#section = line;
  }

  #takeBand(piece: Buffer): void {
    let data = piece;
    if (this.#band === 0) {
      this.#band = piece[0] ?? 0;
      data = piece.subarray(1);
    }
    if (this.#band === 1) this.#takePack(data);
    else if (this.#band === 3) throw new Error(`band 3: ${data.toString().trim()}`);
    else if (this.#band !== 2) throw new Error(`bad band ${this.#band}`);
  }

  #takePack(data: Buffer): void {
    if (this.#packHeader.length < 12)
      this.#packHeader = Buffer.concat([
        this.#packHeader,
        data.subarray(0, 12 - this.#packHeader.length),
      ]);
    this.#packBytes += data.length;
    if (!this.#hash) return;
    const known = Buffer.concat([this.#trailer, data]);
    this.#trailer = known.subarray(Math.max(0, known.length - trailerBytes));
    this.#hash.update(known.subarray(0, known.length - this.#trailer.length));
  }
}
