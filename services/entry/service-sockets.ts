// How services of one pod reach each other: in process when they run together, else over a Unix socket in the run
// directory that only this user may open.

import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { linkAbort } from '#kernel/abort.ts';
import type { CloseStack } from '#kernel/close-stack.ts';
import { withSignal } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import * as settings from '#kernel/settings.ts';
import { sendError } from '#transport/respond.ts';
import { decodeActor, proxyToService } from '#transport/service-proxy.ts';
import type { Core } from '#entry/core.ts';
import type { ServiceHandler } from '#entry/service-handlers.ts';

type SocketService = 'metadata' | 'pages';

function socketPath({ config, dataDir }: Core, name: SocketService): string {
  return join(config.get(settings.runDir) ?? join(dataDir, 'run'), `${name}.sock`);
}

/** The handler itself when the service runs in this process, else one that forwards to its socket. */
export function handlerOf(
  core: Core,
  name: SocketService,
  own: ServiceHandler | undefined,
): ServiceHandler {
  return own ?? ((ctx, exchange) => proxyToService(ctx, socketPath(core, name), exchange));
}

/** Serves the handler on the service's socket. */
export async function listenService(
  core: Core,
  service: { readonly name: SocketService; readonly handle: ServiceHandler },
  closing: CloseStack,
): Promise<void> {
  const { background } = core;
  const path = socketPath(core, service.name);
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  // The lock of this service is held: whoever made the socket is gone.
  await rm(path, { force: true });
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 90_000 });
  server.on('request', (request, response) => {
    const leaving = linkAbort(background.signal);
    response.once('close', () => {
      if (!response.writableFinished) leaving.abort(new ForgeError('CANCELLED'));
      leaving[Symbol.dispose]();
    });
    const ctx = withSignal(background, leaving.signal);
    const answer = async () =>
      service.handle(ctx, { request, response, actor: decodeActor(request) });
    answer().catch((error: unknown) => sendError(response, error, ctx.log));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  await chmod(path, 0o600);
  closing.defer(`${service.name} socket`, async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await closed;
    await rm(path, { force: true });
  });
}
