// One session of an SSH connection: environment, then one command. Called by ssh-connection.
// Must stay true: each command asks again whether its key still signs in (a connection outlives a revocation), ends
// with an exit status after its output, and leaves one log line and one count.

import type { Socket } from 'node:net';
import type { ServerChannel, Session } from 'ssh2';
import { linkAbort } from '#kernel/abort.ts';
import { assertNever } from '#kernel/assert-never.ts';
import { type Context, withSignal } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import type { AccountActor } from '#access/authenticate.ts';
import { clientKeyOf } from '#admission/client-address.ts';
import { parseProtocolRequest } from '#git/protocol-version.ts';
import type { GitServices } from '#transport/git-services.ts';
import { type ChannelStreams, openChannel } from '#transport/ssh-channel.ts';
import { parseSshCommand, type SshCommand } from '#transport/ssh-command-line.ts';
import { refuse, runSshGit } from '#transport/ssh-git.ts';
import type { CommandRoute, SshMonitor } from '#transport/ssh-metrics.ts';
import type { SshEnd } from '#transport/ssh-serving.ts';

export type SessionHost = {
  readonly context: Context;
  readonly services: GitServices;
  readonly monitor: SshMonitor;
  readonly socket: Socket;
  readonly address: string;
  readonly publicKey: Buffer;
  /** Told around each command, so that the connection knows whether it is idle. */
  readonly onCommand: (running: 1 | -1) => void;
  /** The key has been revoked: the connection has no use any more. */
  readonly onRevoked: () => void;
};

type Request = SshCommand | { readonly kind: 'shell' | 'subsystem' };

/** How long, and how much, a client whose push was answered may go on sending. */
const afterAnswer = { maxBytes: 256 * 2 ** 20, timeoutMs: 30_000 };

export function serveSession(host: SessionHost, session: Session): void {
  const { promise: gone, resolve: onGone } = Promise.withResolvers<void>();
  session.once('close', onGone);
  host.socket.once('close', onGone);
  let protocol = parseProtocolRequest(undefined);
  session.on('env', (accept, _reject, { key, val }) => {
    if (key === 'GIT_PROTOCOL') protocol = parseProtocolRequest(val);
    // Success for every other too, and nothing done with it. Absent when no reply is wanted.
    (accept as typeof accept | undefined)?.();
  });
  const start = (channel: ServerChannel | undefined, request: Request) => {
    // The session has ended meanwhile.
    if (channel === undefined) return;
    host.onCommand(1);
    void run(host, { channel, request, protocol, gone }).finally(() => host.onCommand(-1));
  };
  session.on('exec', (accept, _reject, { command }) => start(accept(), parseSshCommand(command)));
  session.on('shell', (accept) => start(accept(), { kind: 'shell' }));
  session.on('subsystem', (accept) => start(accept(), { kind: 'subsystem' }));
}

type Run = {
  readonly channel: ServerChannel;
  readonly request: Request;
  readonly protocol: ReturnType<typeof parseProtocolRequest>;
  readonly gone: Promise<void>;
};

/** Never rejects. */
async function run(host: SessionHost, { channel, request, protocol, gone }: Run): Promise<void> {
  const startedMs = performance.now();
  const streams = openChannel(channel, host.socket);
  using leaving = linkAbort(host.context.signal);
  void gone.then(() => {
    leaving.abort(new ForgeError('CANCELLED'));
    streams.abandon();
  });
  const ctx = withSignal(host.context, leaving.signal);
  const identity = host.services.authenticator.authenticateKey(host.publicKey);
  const actor = identity.kind === 'authenticated' ? identity.actor : undefined;
  let end: SshEnd = { exitCode: 1, outcome: 'client_gone' };
  try {
    end = await answer(ctx, host, { actor, request, protocol, streams });
  } catch (error) {
    if (!leaving.signal.aborted) {
      ctx.log.error('an SSH command failed', { error });
      end = { exitCode: 128, outcome: 'failed' };
      await streams.finish(end.exitCode, leaving.signal);
    }
  }
  const route = routeOf(request);
  host.monitor.commandEnded(route, end.outcome);
  ctx.log.info('ssh command', {
    route,
    ...(request.kind === 'git' ? { path: request.repository.slice(0, 300) } : {}),
    client: host.address,
    account: actor?.name,
    exit: end.exitCode,
    ms: Math.round(performance.now() - startedMs),
    ...(end.refusal === undefined ? {} : { refused: end.refusal }),
    ...(end.outcome === 'client_gone' ? { aborted: true } : {}),
  });
  if (end.maySend === true && !leaving.signal.aborted) {
    await streams.discard(afterAnswer).catch(() => {});
  }
  streams.close();
  if (actor === undefined) host.onRevoked();
}

function answer(
  ctx: Context,
  host: SessionHost,
  asked: {
    readonly actor: AccountActor | undefined;
    readonly request: Request;
    readonly protocol: ReturnType<typeof parseProtocolRequest>;
    readonly streams: ChannelStreams;
  },
): Promise<SshEnd> {
  const { actor, request, protocol, streams } = asked;
  if (actor === undefined) {
    return refuse(ctx, streams, 'This SSH key is not accepted any more.', 'revoked');
  }
  switch (request.kind) {
    case 'git': {
      const { service, repository } = request;
      const clientKey = clientKeyOf(actor, host.address);
      const command = { service, repository, protocol, actor, clientKey };
      return runSshGit(ctx, host.services, command, streams);
    }
    case 'lfs':
      return refuse(ctx, streams, 'Git LFS is not served here: push the files themselves.', 'lfs');
    case 'shell': {
      const sentence = `Hello ${actor.name}: you are signed in. There is no shell here; use git clone, fetch and push.`;
      return refuse(ctx, streams, sentence, 'shell');
    }
    case 'subsystem':
      return refuse(ctx, streams, 'Only git is served here: no sftp, no subsystems.', 'subsystem');
    case 'refused':
      return refuse(ctx, streams, `${request.sentence}.`, 'command');
    default:
      return assertNever(request);
  }
}

function routeOf(request: Request): CommandRoute {
  if (request.kind !== 'git') return 'ssh-other';
  // The three services are the three routes.
  return `ssh-${request.service.slice('git-'.length)}` as CommandRoute;
}
