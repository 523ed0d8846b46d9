// HTTP/1.1 on a bare socket, for requests no client library sends: half bodies, bad headers, broken chunks.
// Nothing is added to what the test writes; nothing is hidden of what comes back.

import { connect, type Socket } from 'node:net';
import { eventually } from '#support/eventually.ts';
import { parseRawResponse, type RawResponse } from '#support/raw-response.ts';

export type RawConnection = AsyncDisposable & {
  readonly socket: Socket;
  /** Everything received so far. */
  received(): Buffer;
  write(bytes: string | Buffer): void;
  /** Half-closes: the other side sees the end of our bytes and can still answer. */
  endWriting(): void;
  /** Ends the connection by RST, like a client that was killed. */
  reset(): void;
  /** The next response; `complete` is false when the connection ended before it did. */
  response(options?: ResponseOptions): Promise<RawResponse>;
};

export type ResponseOptions = {
  /** HEAD answers have a length and no body. */
  readonly method?: string;
  readonly timeoutMs?: number;
};

/** Connects to the host and port of `url`; localhost means whichever loopback address answers. */
export async function openRawHttp(url: string | URL): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port === '' ? 80 : port), autoSelectFamily: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let buffer = Buffer.alloc(0);
  let taken = 0;
  let over = false;
  socket.on('data', (chunk) => (buffer = Buffer.concat([buffer, chunk])));
  socket.on('error', () => (over = true));
  socket.on('end', () => (over = true));
  socket.on('close', () => (over = true));
  return {
    socket,
    received: () => buffer,
    write: (bytes) => void socket.write(bytes),
    endWriting: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    async response({ method = 'GET', timeoutMs = 10_000 } = {}) {
      const [response, length] = await eventually(
        'a whole response or the end of the connection',
        () => parseRawResponse(buffer.subarray(taken), { method, over }),
        timeoutMs,
      );
      taken += length;
      return response;
    },
    async [Symbol.asyncDispose]() {
      if (socket.closed) return;
      await new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
        socket.destroy();
      });
    },
  };
}

/**
 * Sends the bytes, reads one response, closes.
 * @param head request line and headers with `\n` or `\r\n`; the blank line is added when missing.
 */
export async function rawRequest(
  url: string | URL,
  head: string,
  body: string | Buffer = '',
): Promise<RawResponse> {
  await using connection = await openRawHttp(url);
  const lines = head.replace(/\r?\n/g, '\r\n').replace(/(\r\n)*$/, '');
  connection.write(Buffer.concat([Buffer.from(`${lines}\r\n\r\n`, 'latin1'), Buffer.from(body)]));
  return await connection.response({ method: lines.split(' ')[0] ?? 'GET' });
}
