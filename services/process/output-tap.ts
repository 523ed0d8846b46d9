// Reads a child's stdout through one reused buffer, for output that is passed on as it comes (packs). Node's own pipes
// take a fresh buffer for each read; git writes 8 KiB at a time, and the garbage cost two thirds of the server's
// CPU for a large clone (measured: load/, docs/performance.md). A socket we connect ourselves may bring its buffer.
// Must stay true: the buffer is read into again only after its last content has been taken.

import { rm, rmdir } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { ForgeError } from '#kernel/forge-error.ts';

/** One sideband packet's payload, so that a full read makes one packet. */
const bufferBytes = 65_515;
/** From here on, small reads wait a moment for the socket to fill: fewer, larger ones. */
const eagerBytes = 65_536;
const restBelowBytes = 32_768;
const restMs = 1;
const maxSpare = 64;

export type TakeOutput = (chunk: Buffer) => Promise<void>;

export class OutputTap {
  /** To be the child's stdout; destroyed in this process once the child has it. */
  readonly childEnd: Socket;
  readonly socket: Socket;
  readonly #buffer: Buffer;
  /** Bytes in the buffer that arrived before anybody read. */
  #heldBytes = 0;
  #totalBytes = 0;
  #onBytes: ((bytes: number) => void) | undefined;
  readonly #giveBack: (buffer: Buffer) => void;

  /** By OutputTaps.open only. */
  constructor(ends: {
    ours: Socket;
    childEnd: Socket;
    buffer: Buffer;
    giveBack: (buffer: Buffer) => void;
  }) {
    this.#giveBack = ends.giveBack;
    this.socket = ends.ours;
    this.childEnd = ends.childEnd;
    this.#buffer = ends.buffer;
  }

  /** @param pair the path to connect to, and the other end of the connection made next. */
  static async open(pair: {
    readonly path: string;
    readonly accept: () => Promise<Socket>;
    readonly buffer: Buffer;
    readonly giveBack: (buffer: Buffer) => void;
  }): Promise<OutputTap> {
    const { path, accept, buffer, giveBack } = pair;
    let tap: OutputTap | undefined;
    const accepted = accept();
    accepted.catch(() => {}); // Awaited below; a failure before that is no unhandled one.
    const ours = connect({
      path,
      // False after each read: the next one waits until this one is taken.
      onread: { buffer, callback: (bytes) => (tap === undefined ? false : tap.#arrived(bytes)) },
    });
    ours.on('error', () => {}); // A reset is the child's end; its exit says how it ended.
    try {
      tap = new OutputTap({ ours, childEnd: await accepted, buffer, giveBack });
      return tap;
    } catch (error) {
      ours.destroy();
      throw error;
    }
  }

  /** Lets go of both ends: for a child that did not start. */
  destroy(): void {
    this.socket.destroy();
    this.childEnd.destroy();
  }

  /** Called by the socket. */
  #arrived(bytes: number): false {
    if (this.#onBytes === undefined) this.#heldBytes = bytes;
    else this.#onBytes(bytes);
    return false;
  }

  /** Hands on every chunk until the child closes its end, one at a time; rejects with what `take` rejects with. */
  read(take: TakeOutput): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = (bytes: number) => {
        this.#totalBytes += bytes;
        take(this.#buffer.subarray(0, bytes)).then(
          () => this.#readOn(bytes),
          (error: unknown) => {
            this.socket.destroy();
            reject(error instanceof Error ? error : new Error(String(error)));
          },
        );
      };
      this.#onBytes = next;
      // Everything was taken, so nobody looks at the buffer any more. After any other end somebody might.
      this.socket.once('end', () => {
        this.#giveBack(this.#buffer);
        resolve();
      });
      this.socket.once('close', () => resolve());
      if (this.socket.destroyed) resolve();
      else if (this.#heldBytes > 0) next(this.#heldBytes);
    });
  }

  #readOn(lastBytes: number): void {
    if (this.socket.destroyed) return;
    if (lastBytes < restBelowBytes && this.#totalBytes > eagerBytes) {
      setTimeout(() => this.socket.resume(), restMs);
    } else {
      this.socket.resume();
    }
  }
}

/** Makes taps: a listener of our own, on a path only this user may open, that nobody else connects to. */
export class OutputTaps {
  readonly #path: string;
  readonly #ownsFolder: boolean;
  readonly #waiting: PromiseWithResolvers<Socket>[] = [];
  /** Buffers of taps that have ended: without them each clone leaves 64 KiB to the garbage collector. */
  readonly #spare: Buffer[] = [];
  #server: Server | undefined;

  /** @param path of the socket, in a folder that only this user may open; `ownsFolder`: it goes at the end. */
  constructor(path: string, { ownsFolder = false }: { readonly ownsFolder?: boolean } = {}) {
    this.#path = path;
    this.#ownsFolder = ownsFolder;
  }

  async start(): Promise<void> {
    await rm(this.#path, { force: true });
    const server = createServer({ pauseOnConnect: true }, (socket) => {
      socket.on('error', () => {});
      // The kernel hands connections over in the order they were made.
      const waiting = this.#waiting.shift();
      if (waiting === undefined) socket.destroy();
      else waiting.resolve(socket);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#path, resolve);
    });
    this.#server = server;
  }

  /** @throws SHUTTING_DOWN when it closes meanwhile. */
  open(): Promise<OutputTap> {
    return OutputTap.open({
      path: this.#path,
      accept: () => {
        const waiting = Promise.withResolvers<Socket>();
        this.#waiting.push(waiting);
        return waiting.promise;
      },
      buffer: this.#spare.pop() ?? Buffer.allocUnsafeSlow(bufferBytes),
      giveBack: (buffer) => {
        if (this.#spare.length < maxSpare) this.#spare.push(buffer);
      },
    });
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    for (const { reject } of this.#waiting) reject(new ForgeError('SHUTTING_DOWN'));
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await rm(this.#path, { force: true });
    if (this.#ownsFolder) await rmdir(dirname(this.#path));
  }
}
