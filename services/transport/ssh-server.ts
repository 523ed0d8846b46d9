// Listens for SSH: admits connections (ssh_connections), hands them to ssh2, and closes without cutting commands short.
// Called by entry. The listening socket is ours, not ssh2's, so that a connection counts and times from its first byte.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import ssh2 from 'ssh2';
import type { Connection } from 'ssh2';
import type { Context } from '#kernel/context.ts';
import { onAbort } from '#kernel/abort.ts';
import { sshPort } from '#kernel/settings.ts';
import { clientKeyOf } from '#admission/client-address.ts';
import { anonymous } from '#model/actor.ts';
import type { GitServices } from '#transport/git-services.ts';
import { type ConnectionTimes, SshConnection } from '#transport/ssh-connection.ts';
import { listenOnPort } from '#transport/listen-on-port.ts';
import type { HostKeys } from '#transport/ssh-host-keys.ts';
import type { SshMonitor } from '#transport/ssh-metrics.ts';

export type SshServerOptions = {
  /** Its signal ends every connection and command at once. */
  readonly context: Context;
  readonly services: GitServices;
  readonly monitor: SshMonitor;
  readonly hostKeys: HostKeys;
  readonly host: string;
  readonly port: number;
  readonly times?: Partial<ConnectionTimes>;
};

export type SshServer = {
  /** @throws PORT_IN_USE naming the port and how to choose another. */
  start(): Promise<void>;
  readonly port: number;
  /** Stops listening, ends idle connections and the others after their commands; resolves when all are gone. */
  close(): Promise<void>;
};

export function createSshServer(options: SshServerOptions): SshServer {
  const { context, services, monitor } = options;
  const times = { signInMs: 20_000, idleMs: 300_000, ...options.times };
  const connections = new Map<Socket, SshConnection>();
  const protocol = new ssh2.Server(
    {
      hostKeys: [...options.hostKeys],
      ident: 'Warren',
      keepaliveInterval: 15_000,
      keepaliveCountMax: 3,
    },
    (client) => connections.get(socketOf(client))?.attach(client),
  );
  let leaving = false;

  async function welcome(socket: Socket): Promise<void> {
    socket.on('error', () => {}); // Before ssh2 listens: a reset is no news.
    const clientKey = clientKeyOf(anonymous, socket.remoteAddress ?? '');
    const request = { class: 'auth_read', clientKey } as const;
    const permit = await services.admission.sshConnections.acquire(context, request);
    if (permit.kind === 'refused') {
      monitor.connectionEnded('refused');
      socket.destroy();
      return;
    }
    const connection = new SshConnection({
      context,
      services,
      monitor,
      times,
      socket,
      onEnded() {
        connections.delete(socket);
        permit.release();
      },
    });
    connections.set(socket, connection);
    connection.watch();
    if (leaving) connection.destroy();
    else protocol.injectSocket(socket);
  }

  const server = createServer({ noDelay: true }, (socket) => {
    welcome(socket).catch(() => socket.destroy());
  });
  let following: Disposable | undefined;
  return {
    async start() {
      await listenOnPort(server, { ...options, setting: sshPort.name });
      following = onAbort(context.signal, () => {
        for (const connection of connections.values()) connection.destroy();
      });
    },
    get port() {
      return (server.address() as AddressInfo).port; // it listens on a port, not on a path
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      endWhenIdle();
      await closed;
      following?.[Symbol.dispose]();
    },
  };

  function endWhenIdle(): void {
    leaving = true;
    for (const connection of connections.values()) connection.endWhenIdle();
  }
}

/** ssh2 names the peer of a connection, but not its socket, which is what tells two connections apart. */
function socketOf(client: Connection): Socket {
  return (client as unknown as { readonly _sock: Socket })._sock;
}
