// Reads packet lines from a byte stream, and hands on what follows them (a pack) without copying it through.

import { ForgeError } from '#kernel/forge-error.ts';
import { headerBytes, parsePacketLength } from '#git/pkt-line.ts';

export type Packet =
  | { readonly kind: 'data'; readonly payload: Buffer }
  | { readonly kind: 'flush' }
  | { readonly kind: 'delimiter' }
  | { readonly kind: 'response-end' };

export class PacketReader {
  readonly #source: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);
  #bytesRead = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Bytes consumed as packets so far. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /**
   * The next packet; undefined at a clean end of the stream.
   * @throws PROTOCOL_ERROR for a bad length or an end inside a packet.
   */
  async next(): Promise<Packet | undefined> {
    if (!(await this.#fill(headerBytes))) {
      if (this.#buffer.length === 0) return undefined;
      throw new ForgeError('PROTOCOL_ERROR', { sentence: 'the body ends inside a packet' });
    }
    const length = parsePacketLength(this.#buffer);
    if (length === undefined) {
      throw new ForgeError('PROTOCOL_ERROR', { sentence: 'a packet has no valid length' });
    }
    if (length < headerBytes) {
      this.#take(headerBytes);
      if (length === 0) return { kind: 'flush' };
      return { kind: length === 1 ? 'delimiter' : 'response-end' };
    }
    if (!(await this.#fill(length))) {
      throw new ForgeError('PROTOCOL_ERROR', { sentence: 'the body ends inside a packet' });
    }
    return { kind: 'data', payload: this.#take(length).subarray(headerBytes) };
  }

  /** What has not been read as packets. The reader must not be used afterwards. */
  async *rest(): AsyncGenerator<Buffer> {
    if (this.#buffer.length > 0) yield this.#buffer;
    this.#buffer = Buffer.alloc(0);
    for (;;) {
      const { value, done } = await this.#source.next();
      if (done === true) return;
      yield value;
    }
  }

  #take(bytes: number): Buffer {
    const taken = this.#buffer.subarray(0, bytes);
    this.#buffer = this.#buffer.subarray(bytes);
    this.#bytesRead += bytes;
    return taken;
  }

  /** False when the stream ends before so many bytes are buffered. */
  async #fill(bytes: number): Promise<boolean> {
    while (this.#buffer.length < bytes) {
      const { value, done } = await this.#source.next();
      if (done === true) return false;
      this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value]);
    }
    return true;
  }
}
