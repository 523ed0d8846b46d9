// One SSH connection from its first byte: time to sign in, sessions, idleness, and an end that is certain.
// Called by ssh-server. Must stay true: onEnded is called exactly once, when the socket is gone.

import type { Socket } from 'node:net';
import type { Connection, Session } from 'ssh2';
import type { Context } from '#kernel/context.ts';
import type { GitServices } from '#transport/git-services.ts';
import { SshAuthentication } from '#transport/ssh-authentication.ts';
import type { ConnectionOutcome, SshMonitor } from '#transport/ssh-metrics.ts';
import { serveSession } from '#transport/ssh-session.ts';

export type ConnectionTimes = {
  /** From the first byte to a verified key. */
  readonly signInMs: number;
  /** Without a running command. */
  readonly idleMs: number;
};

export type SshConnectionOptions = {
  readonly context: Context;
  readonly services: GitServices;
  readonly monitor: SshMonitor;
  readonly times: ConnectionTimes;
  readonly socket: Socket;
  readonly onEnded: () => void;
};

/** As sshd has it: more sessions at once than git ever opens. */
const maxSessions = 10;
/** Time for a goodbye to arrive before the socket is destroyed. */
const goodbyeMs = 1000;

export class SshConnection {
  readonly #options: SshConnectionOptions;
  readonly #address: string;
  readonly #authentication: SshAuthentication;
  #client: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #outcome: ConnectionOutcome = 'failed';
  #sessions = 0;
  #commands = 0;
  #leaving = false;

  constructor(options: SshConnectionOptions) {
    this.#options = options;
    this.#address = options.socket.remoteAddress ?? 'unknown';
    this.#authentication = new SshAuthentication(options.services.authenticator, () => this.end());
  }

  /** Begins to watch the socket, before ssh2 sees it. */
  watch(): void {
    const { socket, times, onEnded } = this.#options;
    socket.setMaxListeners(8 * maxSessions);
    // The peer has closed its side, or a TCP connection broke: SSH does not go on after either.
    socket.once('end', () => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(this.#timer);
      this.#report();
      onEnded();
    });
    this.#timer = setTimeout(() => {
      this.#outcome = 'timed_out';
      socket.destroy();
    }, times.signInMs);
  }

  /** The version lines are exchanged: ssh2 has a connection. */
  attach(client: Connection): void {
    this.#client = client;
    client.on('authentication', (attempt) => this.#authentication.decide(attempt));
    client.on('ready', () => this.#signedIn());
    client.on('error', (error: Error) => {
      this.#options.context.log.debug('ssh connection error', { error, client: this.#address });
      this.#destroySoon();
    });
    client.on('session', (accept, reject) => this.#openSession(accept, reject));
  }

  /** Now when no command runs, else after the last one. */
  endWhenIdle(): void {
    this.#leaving = true;
    if (this.#commands === 0) this.end();
  }

  end(): void {
    if (this.#client === undefined) this.destroy();
    this.#client?.end();
    this.#destroySoon();
  }

  destroy(): void {
    this.#options.socket.destroy();
  }

  #signedIn(): void {
    this.#outcome = 'served';
    this.#awaitCommand();
    if (this.#leaving) this.end();
  }

  #openSession(accept: () => Session, reject: () => void): void {
    const { context, services, monitor, socket } = this.#options;
    const { publicKey } = this.#authentication;
    if (publicKey === undefined || this.#leaving || this.#sessions >= maxSessions) {
      reject();
      return;
    }
    this.#sessions++;
    const session = accept();
    session.once('close', () => this.#sessions--);
    serveSession(
      {
        context,
        services,
        monitor,
        socket,
        publicKey,
        address: this.#address,
        onCommand: (running) => this.#onCommand(running),
        onRevoked: () => this.endWhenIdle(),
      },
      session,
    );
  }

  #onCommand(running: 1 | -1): void {
    this.#commands += running;
    clearTimeout(this.#timer);
    if (this.#commands > 0) return;
    if (this.#leaving) this.end();
    else this.#awaitCommand();
  }

  #awaitCommand(): void {
    const { socket, times } = this.#options;
    clearTimeout(this.#timer);
    if (!socket.destroyed) this.#timer = setTimeout(() => this.end(), times.idleMs);
  }

  #destroySoon(): void {
    const { socket } = this.#options;
    clearTimeout(this.#timer);
    if (!socket.destroyed) this.#timer = setTimeout(() => socket.destroy(), goodbyeMs);
  }

  #report(): void {
    const { monitor, context } = this.#options;
    const triedToSignIn = this.#authentication.attempts > 0;
    const outcome = this.#outcome === 'failed' && triedToSignIn ? 'unauthenticated' : this.#outcome;
    monitor.connectionEnded(outcome);
    if (outcome !== 'served') {
      context.log.info('ssh connection', { outcome, client: this.#address });
    }
  }
}
