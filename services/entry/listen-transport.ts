// The transport service of this process: the app port with everything behind it, and SSH. Wiring only.

import { Capabilities } from '#git/capabilities.ts';
import { RepositorySizes } from '#git/repository-sizes.ts';
import { parseTrustedProxies } from '#admission/client-address.ts';
import type { CloseStack } from '#kernel/close-stack.ts';
import * as settings from '#kernel/settings.ts';
import type { GitServices } from '#transport/git-services.ts';
import { createHttpFront } from '#transport/http-front.ts';
import { type Listener, listenHttp } from '#transport/http-server.ts';
import { createHttpMetrics } from '#transport/metrics.ts';
import { createSshMetrics } from '#transport/ssh-metrics.ts';
import type { HostKeys } from '#transport/ssh-host-keys.ts';
import { createSshServer, type SshServer } from '#transport/ssh-server.ts';
import { answerGit } from '#transport/smart-http.ts';
import type { Core } from '#entry/core.ts';
import type { ServiceHandler } from '#entry/service-handlers.ts';

export function createGitServices(core: Core): GitServices {
  const { git, snapshots, repositories, catalog, authenticator, admission, background } = core;
  return {
    git,
    snapshots,
    authenticator,
    admission,
    background,
    capabilities: new Capabilities(git),
    sizes: new RepositorySizes(background.log),
    repositories: {
      find: (path) => catalog.state().repositories.get(path),
      stateOf: (id) => repositories.stateOf(id),
      directoryOf: (id) => repositories.directoryOf(id),
    },
    onPushed: () => {},
  };
}

export type AppOptions = {
  readonly services: GitServices;
  readonly api: ServiceHandler;
  readonly pages: ServiceHandler;
  /** The host names answered for; known once the ports are, so it is asked at each request. */
  readonly hosts: () => ReadonlySet<string>;
  readonly isDraining: () => boolean;
};

/** Listens on the app port. @throws PORT_IN_USE */
export async function listenApp(
  core: Core,
  options: AppOptions,
  closing: CloseStack,
): Promise<Listener> {
  const { config, background, admission, authenticator, registry } = core;
  const { services, api, pages, hosts, isDraining } = options;
  const front = createHttpFront({
    context: background,
    hosts,
    trustedProxies: parseTrustedProxies(config.get(settings.trustedProxies)),
    authenticator,
    httpRequests: admission.httpRequests,
    monitor: createHttpMetrics(registry),
    handlers: {
      git: (ctx, address, exchange) => answerGit(ctx, services, address, exchange),
      api: (ctx, exchange) => api(ctx, exchange),
      page: (ctx, exchange) => pages(ctx, exchange),
    },
    isDraining,
  });
  const listener = await listenHttp({
    host: config.get(settings.listen) ?? 'localhost',
    port: config.get(settings.httpPort),
    setting: settings.httpPort.name,
    handle: (request, response) => void front(request, response),
    onDisconnect(socket) {
      admission.gitHttp.dropProbe(socket);
      admission.gitPush.dropProbe(socket);
    },
  });
  closing.defer('app port', () => listener.close());
  return listener;
}

/** Listens for SSH. @throws PORT_IN_USE */
export async function listenSsh(
  core: Core,
  options: { readonly services: GitServices; readonly hostKeys: HostKeys },
  closing: CloseStack,
): Promise<SshServer> {
  const { config, background, registry } = core;
  const ssh = createSshServer({
    context: background,
    services: options.services,
    monitor: createSshMetrics(registry),
    hostKeys: options.hostKeys,
    host: config.get(settings.listen) ?? 'localhost',
    port: config.get(settings.sshPort),
  });
  await ssh.start();
  closing.defer('SSH port', () => ssh.close());
  return ssh;
}
