// The ports and sockets of this process, by the services it runs: admin always; app and SSH with the transport; a Unix
// socket for each other service when the transport is elsewhere in the pod.

import { buildAddresses, type Addresses } from '#entry/addresses.ts';
import type { CloseStack } from '#kernel/close-stack.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import * as settings from '#kernel/settings.ts';
import { createAdminHandler, type Readiness } from '#transport/admin-server.ts';
import { listenHttp } from '#transport/http-server.ts';
import type { HostKeys } from '#transport/ssh-host-keys.ts';
import type { Core } from '#entry/core.ts';
import { createGitServices, listenApp, listenSsh } from '#entry/listen-transport.ts';
import {
  createApiHandler,
  createPageHandler,
  type ServiceHandler,
} from '#entry/service-handlers.ts';
import { handlerOf, listenService } from '#entry/service-sockets.ts';

type Handlers = {
  readonly metadata: ServiceHandler | undefined;
  readonly pages: ServiceHandler | undefined;
};

export class Listening {
  readonly #core: Core;
  readonly #readiness: Readiness;
  readonly #closing: CloseStack;
  #addresses: Addresses | undefined;

  constructor(core: Core, readiness: Readiness, closing: CloseStack) {
    this.#core = core;
    this.#readiness = readiness;
    this.#closing = closing;
  }

  /**
   * Binds everything.
   * @param hostKeys of SSH; undefined in a process without the transport.
   * @throws PORT_IN_USE naming the setting to change.
   */
  async begin(
    services: readonly settings.ServiceName[],
    hostKeys: Promise<HostKeys> | undefined,
  ): Promise<Addresses> {
    const core = this.#core;
    // Addresses are built from ports that are known only once all are bound.
    const addresses = () => {
      if (this.#addresses === undefined) throw new ForgeError('STARTING');
      return this.#addresses;
    };
    const handlers: Handlers = {
      metadata: services.includes('metadata') ? createApiHandler(core, addresses) : undefined,
      pages: services.includes('pages') ? createPageHandler(core, addresses) : undefined,
    };
    const admin = await this.#listenAdmin();
    const ports =
      hostKeys === undefined
        ? await this.#listenSockets(handlers)
        : await this.#listenTransport(handlers, addresses, hostKeys);
    this.#addresses = buildAddresses(core.config, { ...ports, admin });
    return this.#addresses;
  }

  async #listenAdmin(): Promise<number> {
    const { config, registry, background } = this.#core;
    const handle = createAdminHandler(registry, this.#readiness, background.log);
    const admin = await listenHttp({
      host: config.get(settings.listen) ?? 'localhost',
      port: config.get(settings.adminPort),
      setting: settings.adminPort.name,
      handle: (request, response) => void handle(request, response),
    });
    this.#closing.defer('admin port', () => admin.close());
    return admin.port;
  }

  async #listenTransport(
    handlers: Handlers,
    addresses: () => Addresses,
    hostKeys: Promise<HostKeys>,
  ): Promise<{ http: number; ssh: number }> {
    const core = this.#core;
    const git = createGitServices(core);
    const app = await listenApp(
      core,
      {
        services: git,
        api: handlerOf(core, 'metadata', handlers.metadata),
        pages: handlerOf(core, 'pages', handlers.pages),
        hosts: () => addresses().hosts,
        isDraining: () => this.#readiness.reason === 'draining',
      },
      this.#closing,
    );
    const ssh = await listenSsh(core, { services: git, hostKeys: await hostKeys }, this.#closing);
    return { http: app.port, ssh: ssh.port };
  }

  /** The ports of the transport are those of the configuration: it is another process. */
  async #listenSockets({ metadata, pages }: Handlers): Promise<{ http: number; ssh: number }> {
    const core = this.#core;
    for (const [name, handle] of [
      ['metadata', metadata],
      ['pages', pages],
    ] as const) {
      if (handle !== undefined) await listenService(core, { name, handle }, this.#closing);
    }
    const { config } = core;
    return { http: config.get(settings.httpPort), ssh: config.get(settings.sshPort) };
  }
}
