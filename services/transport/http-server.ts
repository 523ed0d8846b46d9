// A node:http server with the time-outs git needs, and a stop that lets running requests finish.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenOnPort, type PortOptions } from '#transport/listen-on-port.ts';

/** After this every request has been told that the server ends, and connections that stay are cut. */
const closeWithinMs = 1000;

export type Listener = {
  readonly port: number;
  /** Stops listening; resolves when every request is over. */
  close(): Promise<void>;
};

export type HttpListenOptions = PortOptions & {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Told when a connection is gone, with the socket that was request.socket. */
  readonly onDisconnect?: (socket: object) => void;
};

/** @throws PORT_IN_USE naming the port and how to choose another. */
export async function listenHttp(options: HttpListenOptions): Promise<Listener> {
  const server = createServer({
    // A push may take as long as its own limits allow; Node's default answers 408 after 300 s.
    requestTimeout: 0,
    headersTimeout: 60_000,
    // Above what proxies keep idle connections for, else they race into a 502.
    keepAliveTimeout: 90_000,
  });
  // Nothing sent and nothing taken for so long: the peer is gone, or holds its place for no reason. (While git works it
  // sends a keep-alive every 5 s.)
  server.timeout = 600_000;
  const { onDisconnect } = options;
  if (onDisconnect !== undefined) {
    server.on('connection', (socket) => socket.once('close', () => onDisconnect(socket)));
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    options.handle(request, response);
  });
  await listenOnPort(server, options);
  return {
    port: (server.address() as AddressInfo).port, // it listens on a port, not on a path
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
        server.closeIdleConnections();
        // Who has not even sent a whole request by now does not keep the program from ending.
        setTimeout(() => server.closeAllConnections(), closeWithinMs).unref();
      }),
  };
}
