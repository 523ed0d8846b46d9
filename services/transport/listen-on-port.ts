// Binds a server to its port, or says in a sentence why it cannot be had. Callers: http-server, ssh-server.

import type { Server } from 'node:net';
import { errnoOf, ForgeError } from '#kernel/forge-error.ts';

export type PortOptions = {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** The setting a person changes when the port is taken. */
  readonly setting: string;
};

/** @throws PORT_IN_USE naming the port and how to choose another. */
export function listenOnPort(server: Server, { host, port, setting }: PortOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const sentence = `port ${port} of ${host} is taken; stop what uses it, or set ${setting} to another (0 = any free one)`;
      const taken = new ForgeError('PORT_IN_USE', { sentence, port }, { cause });
      reject(errnoOf(cause) === 'EADDRINUSE' ? taken : cause);
    });
    server.listen(port, host, resolve);
  });
}
