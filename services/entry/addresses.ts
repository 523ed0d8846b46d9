// The addresses people type, and the host names the app answers for, from the configuration and the bound ports. Pure.

import type { Config } from '#kernel/config.ts';
import * as settings from '#kernel/settings.ts';

export type Addresses = {
  /** Without a slash at its end. */
  readonly http: string;
  readonly ssh: string;
  readonly admin: string;
  /** The app port as commands on this machine reach it, whatever the public address is. */
  readonly local: string;
  readonly hosts: ReadonlySet<string>;
};

export type Ports = { readonly http: number; readonly ssh: number; readonly admin: number };

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export function buildAddresses(config: Config, ports: Ports): Addresses {
  const publicUrl = config.get(settings.publicUrl);
  const host = publicUrl?.hostname ?? 'localhost';
  const local = localHost(config.get(settings.listen));
  const hosts = [host, local, ...config.get(settings.appHosts), ...loopback];
  return {
    http: publicUrl?.origin ?? `http://localhost:${ports.http}`,
    ssh: `ssh://git@${host}:${ports.ssh}`,
    admin: `http://localhost:${ports.admin}`,
    local: `http://${local}:${ports.http}`,
    hosts: new Set(hosts.map((name) => name.toLowerCase())),
  };
}

/** A server that listens everywhere listens on localhost too. */
function localHost(listen: string | undefined): string {
  if (listen === undefined || ['0.0.0.0', '::'].includes(listen)) return 'localhost';
  return listen.includes(':') ? `[${listen}]` : listen;
}
