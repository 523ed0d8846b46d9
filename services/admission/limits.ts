// The limits this program enforces, each declared once. DESIGN lists them; a feature adds its own here.

import { type DeclaredLimit, defineLimit } from '#admission/define-limit.ts';

const everyone = ['auth_write', 'auth_read', 'anon_cheap', 'anon_costly'] as const;
const fetchers = ['auth_read', 'anon_costly'] as const;
const pushers = ['auth_write'] as const;

export const gitHttp = defineLimit({
  name: 'git_http',
  kind: 'concurrency',
  slots: 16,
  queue: { wait: '30s' },
  scope: 'pod',
  classes: fetchers,
  reasons: ['queue_full', 'queue_timeout', 'shutdown'],
  bounds: 'clones and fetches running',
  atBound:
    '429 at info/refs when no slot is free; a fetch that got past waits at its POST, then 200 + ERR',
});
export const gitHttpClient = defineLimit({
  name: 'git_http_client',
  kind: 'concurrency',
  slots: 4,
  scope: 'client',
  classes: fetchers,
  reasons: ['client_share'],
  bounds: 'clones and fetches running for one client',
  atBound: 'as git_http',
});
export const gitHttpAnonymous = defineLimit({
  name: 'git_http_anonymous',
  kind: 'concurrency',
  slots: 'git_http',
  scope: 'pod',
  classes: ['anon_costly'],
  reasons: ['queue_full', 'queue_timeout'],
  bounds: 'clones and fetches running for clients that did not sign in',
  atBound: 'as git_http',
});
export const gitPush = defineLimit({
  name: 'git_push',
  kind: 'concurrency',
  slots: 8,
  queue: { wait: '30s' },
  scope: 'pod',
  classes: pushers,
  reasons: ['queue_full', 'queue_timeout', 'shutdown'],
  bounds: 'pushes running (the 4-byte probe takes none)',
  atBound: '429 at info/refs; a push that got past waits at its POST, then a sentence in band 3',
});
export const gitPushClient = defineLimit({
  name: 'git_push_client',
  kind: 'concurrency',
  slots: 2,
  scope: 'client',
  classes: pushers,
  reasons: ['client_share'],
  bounds: 'pushes running for one client',
  atBound: 'as git_push',
});
export const gitSsh = defineLimit({
  name: 'git_ssh',
  kind: 'concurrency',
  slots: 16,
  scope: 'pod',
  classes: ['auth_write', 'auth_read'],
  reasons: ['queue_full', 'shutdown'],
  bounds: 'git commands running over SSH',
  atBound: 'a sentence on stderr, exit 1',
});
export const gitSshClient = defineLimit({
  name: 'git_ssh_client',
  kind: 'concurrency',
  slots: 4,
  scope: 'client',
  classes: ['auth_write', 'auth_read'],
  reasons: ['client_share'],
  bounds: 'git commands running over SSH for one client',
  atBound: 'as git_ssh',
});
export const repositoryGit = defineLimit({
  name: 'repository_git',
  kind: 'concurrency',
  slots: undefined,
  scope: 'repository',
  classes: fetchers,
  reasons: ['queue_full', 'queue_timeout'],
  bounds: 'clones and fetches running on one repository (spec.limits.concurrency)',
  atBound: 'as git_http',
});
export const repositoryGitClient = defineLimit({
  name: 'repository_git_client',
  kind: 'concurrency',
  slots: undefined,
  scope: 'repository',
  classes: fetchers,
  reasons: ['client_share'],
  bounds: 'the same for one client (spec.limits.perClientConcurrency)',
  atBound: 'as git_http',
});
export const gitDuration = defineLimit({
  name: 'git_duration',
  kind: 'duration',
  default: '600s',
  scope: 'pod',
  classes: ['auth_write', 'auth_read', 'anon_costly'],
  reasons: ['duration'],
  bounds: 'one clone, fetch or push',
  atBound: 'the stream ends with an error packet; the process group is ended',
});
export const gitPage = defineLimit({
  name: 'git_page',
  kind: 'concurrency',
  slots: 8,
  queue: { wait: '5s' },
  scope: 'pod',
  classes: everyone,
  reasons: ['queue_full', 'queue_timeout', 'shutdown'],
  bounds: 'short git commands for pages and ref listings',
  atBound: '503 after the wait',
});
export const httpRequests = defineLimit({
  name: 'http_requests',
  kind: 'concurrency',
  slots: 512,
  scope: 'pod',
  classes: everyone,
  reasons: ['queue_full', 'shutdown'],
  bounds: 'HTTP requests in flight',
  atBound: '503 (429 on git routes)',
});
export const httpRequestsClient = defineLimit({
  name: 'http_requests_client',
  kind: 'concurrency',
  slots: 64,
  scope: 'client',
  classes: everyone,
  reasons: ['client_share'],
  bounds: 'HTTP requests in flight for one client',
  atBound: '429',
});
export const sshConnections = defineLimit({
  name: 'ssh_connections',
  kind: 'concurrency',
  slots: 256,
  scope: 'pod',
  classes: ['auth_read'],
  reasons: ['queue_full', 'shutdown'],
  bounds: 'SSH connections open',
  atBound: 'the connection is closed',
});
export const sshConnectionsClient = defineLimit({
  name: 'ssh_connections_client',
  kind: 'concurrency',
  slots: 64,
  scope: 'client',
  classes: ['auth_read'],
  reasons: ['client_share'],
  bounds: 'SSH connections open from one address',
  atBound: 'the connection is closed',
});
export const pushBytes = defineLimit({
  name: 'push_bytes',
  kind: 'size',
  default: '1GiB',
  scope: 'pod',
  classes: pushers,
  reasons: ['size'],
  bounds: 'one push, refused before it is unpacked',
  atBound: 'a sentence names the limit',
});
export const requestInflatedBytes = defineLimit({
  name: 'request_inflated_bytes',
  kind: 'size',
  default: '64MiB',
  scope: 'pod',
  classes: everyone,
  reasons: ['size'],
  bounds: 'the body of a fetch or an API call after inflation',
  atBound: '413',
});
export const repositoryBytes = defineLimit({
  name: 'repository_bytes',
  kind: 'size',
  default: '20GiB',
  scope: 'repository',
  classes: pushers,
  reasons: ['size'],
  bounds: 'one repository on disk',
  atBound: 'a sentence names the limit',
});
export const diskFreeBytes = defineLimit({
  name: 'disk_free_bytes',
  kind: 'size',
  default: '1GiB',
  scope: 'pod',
  classes: pushers,
  reasons: ['disk'],
  bounds: 'what a push must leave free on the volume',
  atBound: 'a sentence names the limit',
});
export const passwordChecks = defineLimit({
  name: 'password_checks',
  kind: 'concurrency',
  // Below the four threads that file reads share with scrypt, so that a flood of sign-ins leaves some.
  slots: 2,
  queue: { wait: '5s', slots: 64 },
  scope: 'pod',
  // Whoever signs in is nobody yet.
  classes: ['anon_cheap'],
  reasons: ['queue_full', 'queue_timeout'],
  bounds: 'passwords being hashed (a right one is remembered for a minute)',
  atBound: '503',
});
export const apiRate = defineLimit({
  name: 'api_rate',
  kind: 'rate',
  perSecond: 50,
  burst: 200,
  scope: 'client',
  classes: pushers,
  reasons: ['rate'],
  bounds: 'API writes of one account',
  atBound: '429',
});

/** All of them, in the order of docs/limits.md. */
export const allLimits: readonly DeclaredLimit[] = [
  gitHttp,
  gitHttpClient,
  gitHttpAnonymous,
  gitPush,
  gitPushClient,
  gitSsh,
  gitSshClient,
  gitDuration,
  gitPage,
  httpRequests,
  httpRequestsClient,
  sshConnections,
  sshConnectionsClient,
  pushBytes,
  requestInflatedBytes,
  repositoryBytes,
  diskFreeBytes,
  repositoryGit,
  repositoryGitClient,
  passwordChecks,
  apiRate,
];
