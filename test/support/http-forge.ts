// The real server as a child with repositories in it, real git clients against it, and the proof that nothing stays:
// no permit, no child, no quarantine. Shared by the tests of one file.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '#support/eventually.ts';
import { createGitClient, type GitClient } from '#support/git-client.ts';
import { type Metrics, scrapeMetrics } from '#support/metrics-scrape.ts';
import { descendantsOf, openFiles } from '#support/process-table.ts';
import {
  type BuildOptions,
  type BuiltRepository,
  buildRepository,
} from '#support/repository-builder.ts';
import { startWarren, type Warren, type WarrenOptions } from '#support/start-warren.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

export type SeedRepository = BuildOptions & {
  /** Lines below `spec:`. */
  readonly spec?: string;
};

export type HttpForge = AsyncDisposable & {
  readonly warren: Warren;
  /** A client without credentials, whose HOME is scratch space for clones. */
  readonly git: GitClient;
  readonly built: Readonly<Record<string, BuiltRepository>>;
  /** `http://…/default/name.git`, with a token as the password when given. */
  urlOf(name: string, token?: string): string;
  gitDirOf(name: string): string;
  /** An account and a token of its own. */
  addAccount(
    name: string,
    options?: { groups?: readonly string[]; readOnly?: boolean },
  ): Promise<string>;
  api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  metrics(): Promise<Metrics>;
  /** Throws unless every permit is back, no child runs, no socket is open and no temporary file lies in a repository. */
  assertIdle(withinMs?: number): Promise<void>;
};

export async function startHttpForge(
  seeds: Readonly<Record<string, SeedRepository>>,
  options: WarrenOptions = {},
): Promise<HttpForge> {
  const sources = await createTempDirectory('sources');
  const built: Record<string, BuiltRepository> = {};
  const manifests: Record<string, string> = {};
  for (const [name, { spec = 'visibility: public', ...seed }] of Object.entries(seeds)) {
    const isEmpty = seed.commits === 0;
    built[name] = await buildRepository(join(sources.path, `${name}.git`), seed);
    const source = isEmpty ? '' : `\nsource: {url: "${built[name].path}"}`;
    manifests[name] = manifestText(name, `${spec}${source}`);
  }
  const git = await createGitClient();
  const warren = await startWarren({
    ...options,
    manifests: { ...manifests, ...options.manifests },
  });
  const gitDirOf = (name: string) => join(warren.dataDir, 'repositories', 'default', `${name}.git`);
  const metrics = () => scrapeMetrics(warren.admin);
  const countSockets = () =>
    openFiles(warren.pid).filter((file) => file.startsWith('socket:')).length;
  const socketsAtRest = countSockets();

  async function api(method: string, path: string, body?: unknown) {
    const response = await fetch(`${warren.http}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${warren.adminToken}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>; // an object, by the API's description
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  const forge: HttpForge = {
    warren,
    git,
    built,
    gitDirOf,
    metrics,
    api,
    urlOf(name, token) {
      const url = new URL(`${warren.http}/default/${name}.git`);
      if (token !== undefined) {
        url.username = 'x';
        url.password = token;
      }
      return url.href;
    },
    async addAccount(name, { groups = [], readOnly = false } = {}) {
      await api('POST', '/accounts', { name, groups });
      return String(
        (await api('POST', `/accounts/${name}/tokens`, { name: 'test', readOnly }))['token'],
      );
    },
    async assertIdle(withinMs = 5000) {
      let left: string[] = [];
      await eventually(
        'the server is idle',
        async () => {
          left = [
            ...permitsOf(await metrics()),
            ...childrenOf(warren.pid),
            ...(await leftoversOf(warren.dataDir)),
          ];
          const sockets = countSockets() - socketsAtRest;
          if (sockets > 0) left.push(`${sockets} sockets`);
          return left.length === 0;
        },
        withinMs,
      ).catch(() => {
        throw new Error(`not idle: ${left.join(', ')}`);
      });
    },
    async [Symbol.asyncDispose]() {
      try {
        await git[Symbol.asyncDispose]();
        await warren[Symbol.asyncDispose]();
      } finally {
        await sources[Symbol.asyncDispose]();
      }
    },
  };
  return forge;
}

export function manifestText(name: string, spec: string): string {
  const lines = spec.replace(/^/gm, '  ');
  return `apiVersion: warren.dev/v1alpha1\nkind: Repository\nmetadata: {name: ${name}}\nspec:\n${lines}\n`;
}

function permitsOf(metrics: Metrics): string[] {
  return ['warren_limit_slots_in_use', 'warren_limit_queue_length', 'warren_git_processes']
    .flatMap((name) => metrics.series(name))
    .filter(({ value }) => value !== 0)
    .map(({ name, labels, value }) => `${name} ${JSON.stringify(labels)} ${value}`);
}

function childrenOf(pid: number): string[] {
  return descendantsOf(pid).map((child) => `child ${child.pid} ${child.name} (${child.state})`);
}

async function leftoversOf(dataDir: string): Promise<string[]> {
  const paths = await readdir(join(dataDir, 'repositories'), { recursive: true });
  return paths.filter((path) => /(^|\/)(incoming-|tmp_)|\.(lock|keep)$/.test(path));
}
