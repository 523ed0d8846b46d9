// The api on a loopback port over a real account store, with a catalog that the test gives and small stand-ins for
// what other parts do. Closed, with its store, when it leaves its scope.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthenticator } from '#access/authenticate.ts';
import { createTestPasswordSlots } from '#support/password-slots.ts';
import type { ApiDependencies } from '#api/api-dependencies.ts';
import { createApi } from '#api/create-api.ts';
import { type CatalogState, emptyCatalogState } from '#catalog/catalog.ts';
import type { AccountStore } from '#entity/account-store.ts';
import { ensureFirstAccount } from '#entity/first-account.ts';
import { systemClock } from '#kernel/clock.ts';
import { createLog } from '#kernel/log.ts';
import type { RepositoryEntry, SiteEntry } from '#model/catalog-entry.ts';
import { openTestAccounts, testContext } from '#support/account-store.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

export type ApiServer = AsyncDisposable & {
  readonly url: string;
  readonly store: AccountStore;
  readonly adminToken: string;
  /** The paths that Express has mounted, as it writes them. */
  mountedPaths(): string[];
  /** Error lines only. */
  readonly logged: readonly string[];
  /** Calls below /api/v1; a body that is no string is sent as JSON. */
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<ApiReply>;
};

export type ApiReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, for tests to look into. */
  readonly json: Readonly<Record<string, unknown>>;
};

export async function startApiServer(overrides: Partial<ApiDependencies> = {}): Promise<ApiServer> {
  const folder = await createTempDirectory('api');
  const accounts = await openTestAccounts(folder.path);
  const { store } = accounts;
  const first = await ensureFirstAccount(testContext, store, folder.path);
  const adminToken = first.kind === 'made' ? first.token : '';
  const logged: string[] = [];
  const api = createApi({
    log: createLog((line) => logged.push(line), 'error'),
    authenticator: createAuthenticator({
      directory: store,
      slots: createTestPasswordSlots(),
      clock: systemClock,
    }),
    accounts: store,
    catalog: { state: () => emptyCatalogState },
    describeRepository: ({ path }) => ({
      url: { http: `http://localhost/${path}.git`, ssh: `ssh://git@localhost/${path}` },
      state: { kind: 'ready', objectFormat: 'sha1', refFormat: 'files' },
    }),
    applyManifests: () => Promise.resolve({ kind: 'applied', objects: [] }),
    readLimits: () => [],
    imports: {
      start: () => Promise.resolve({ kind: 'refused', code: 'INVALID', sentence: 'No imports.' }),
      find: () => undefined,
    },
    ...overrides,
  });
  const server = createServer(api);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address of that type.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/api/v1`;
  return {
    url,
    store,
    adminToken,
    logged,
    mountedPaths() {
      // createApi hides that it is an Express app; this looks behind that on purpose.
      const app = api as unknown as { router: { stack: { route?: { path: string } }[] } };
      return app.router.stack.flatMap(({ route }) => (route === undefined ? [] : [route.path]));
    },
    async call(method, path, { token, body, headers = {} } = {}) {
      const sent = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: sent }),
      });
      const text = await response.text();
      const json: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
      return { status: response.status, headers: response.headers, text, json };
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await accounts[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

type RepositoryParts = Partial<RepositoryEntry['spec']> & { id: string };

/** A catalog of these repositories, with defaults for what is not said, and sites as `namespace/name` → repository. */
export function buildCatalogState(
  repositories: readonly RepositoryParts[],
  sites: Readonly<Record<string, string>> = {},
): CatalogState {
  const origin = { file: 'test.yaml', line: 1 };
  const entries = repositories.map(({ id, ...spec }): RepositoryEntry => {
    const [namespace = '', name = ''] = id.split('/');
    const defaults = {
      visibility: 'private',
      defaultBranch: 'main',
      placement: { dedicated: false },
      limits: {},
      access: [],
      protectedBranches: [],
      archived: false,
      suspend: false,
      reclaimPolicy: 'Retain',
    } as const;
    const path = spec.path ?? id;
    return {
      kind: 'Repository',
      namespace,
      name,
      id,
      path,
      origin,
      spec: { ...defaults, ...spec },
    };
  });
  const siteEntries = Object.entries(sites).map(([id, repository]): SiteEntry => {
    const [namespace = '', name = ''] = id.split('/');
    const defaults = { hosts: [], notFound: '404.html', spaFallback: false, replicas: 1 };
    const spec = { ...defaults, repository, access: 'repository' as const };
    return { kind: 'Site', namespace, name, origin, spec };
  });
  return {
    ...emptyCatalogState,
    repositories: new Map(entries.map((entry) => [entry.path, entry])),
    sites: siteEntries,
  };
}
