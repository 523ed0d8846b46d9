// The settings that are not limits. Limits add WARREN_LIMIT_… of their own (admission/limit-settings.ts).

import {
  defineSetting,
  durationSetting,
  listSetting,
  portSetting,
  textSetting,
  urlSetting,
} from '#kernel/setting.ts';

export const serviceNames = ['transport', 'metadata', 'pages', 'search'] as const;
export type ServiceName = (typeof serviceNames)[number];

export const dataDir = textSetting({
  name: 'WARREN_DATA_DIR',
  default: './data',
  text: 'Repositories, keys and everything else that must survive. One server at a time uses it.',
});
export const catalog = textSetting({
  name: 'WARREN_CATALOG',
  default: './catalog',
  text: 'The directory of Repository, Site and GitPool manifests, watched for changes.',
});
export const httpPort = portSetting({
  name: 'WARREN_HTTP_PORT',
  default: 8080,
  text: 'Git over HTTP, pages and API. 0 = any free port.',
});
export const sshPort = portSetting({
  name: 'WARREN_SSH_PORT',
  default: 2222,
  text: 'Git over SSH. 0 = any free port.',
});
export const adminPort = portSetting({
  name: 'WARREN_ADMIN_PORT',
  default: 9090,
  text: '/metrics, /healthz and /readyz; never expose it. 0 = any free port.',
});
export const listen = textSetting({
  name: 'WARREN_LISTEN',
  default: 'localhost',
  text: 'The address all ports listen on; in a pod 0.0.0.0 or ::.',
});
export const publicUrl = urlSetting({
  name: 'WARREN_PUBLIC_URL',
  text: 'What people type: clone addresses and links are built from it. Default: from the ports.',
});
export const appHosts = listSetting({
  name: 'WARREN_APP_HOSTS',
  text: 'Further host names the app answers for, besides that of the public URL and, on loopback, localhost.',
});
export const runDir = textSetting({
  name: 'WARREN_RUN_DIR',
  text: 'Unix sockets between services, and scratch files. Default: run in the data directory.',
});
export const trustedProxies = listSetting({
  name: 'WARREN_TRUSTED_PROXIES',
  text: 'Addresses (CIDR) of proxies whose X-Forwarded-For is believed; everyone else is taken by socket address.',
});
export const drainTimeout = durationSetting({
  name: 'WARREN_DRAIN_TIMEOUT',
  default: '30s',
  text: 'How long running clones and pushes may finish after SIGTERM.',
});
export const logLevel = defineSetting<'debug' | 'info' | 'warn' | 'error'>({
  name: 'WARREN_LOG_LEVEL',
  type: 'level',
  defaultText: 'info',
  text: 'debug, info, warn or error.',
  parse(raw) {
    if (raw === 'debug' || raw === 'info' || raw === 'warn' || raw === 'error') {
      return { ok: true, value: raw };
    }
    return { ok: false, expected: 'debug, info, warn or error' };
  },
});
export const shadowLimits = listSetting({
  name: 'WARREN_LIMIT_SHADOW',
  text: 'Limits that only count what they would refuse (mode="shadow"), e.g. git_http_client.',
});
export const clientUrl = urlSetting({
  name: 'WARREN_URL',
  text: 'For commands: the server to talk to. Default: the running server of the data directory.',
});
export const clientToken = textSetting({
  name: 'WARREN_TOKEN',
  text: 'For commands: the token to use. Default: admin-token in the data directory.',
});

/** Every setting here, in the order docs/config.md lists them. */
export const baseSettings = [
  dataDir,
  catalog,
  httpPort,
  sshPort,
  adminPort,
  listen,
  publicUrl,
  appHosts,
  runDir,
  trustedProxies,
  drainTimeout,
  logLevel,
  shadowLimits,
  clientUrl,
  clientToken,
] as const;
