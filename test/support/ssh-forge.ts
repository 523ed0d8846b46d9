// A forge with SSH in this process, wired as entry wires it: accounts, folder catalog, limits, repositories. For tests
// that look at permits and metrics while real clients talk to it; closed, to the last child, when it leaves its scope.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limitSettings } from '#admission/limit-settings.ts';
import { CloseStack } from '#kernel/close-stack.ts';
import { readConfig } from '#kernel/config.ts';
import * as settings from '#kernel/settings.ts';
import { type Core, createCore } from '#entry/core.ts';
import { createGitServices } from '#entry/listen-transport.ts';
import { loadHostKeys } from '#transport/ssh-host-keys.ts';
import { createSshMetrics } from '#transport/ssh-metrics.ts';
import { createSshServer, type SshServer } from '#transport/ssh-server.ts';
import type { ConnectionTimes } from '#transport/ssh-connection.ts';
import { createSshKey, type SshKey } from '#support/ssh-key.ts';
import { createTempDirectory } from '#support/temp-directory.ts';
import { createTestContext, type TestContext } from '#support/test-context.ts';

export type SshForge = AsyncDisposable & {
  readonly core: Core;
  readonly server: SshServer;
  readonly context: TestContext;
  readonly port: number;
  /** For keys and clones of the test; goes with the forge. */
  readonly folder: string;
  /** An account with a key of its own. */
  addAccount(name: string, type?: 'ed25519' | 'ecdsa' | 'rsa'): Promise<SshKey>;
  urlOf(path: string): string;
  gitDirOf(path: string): string;
  /** The fields of the lines that end each command. */
  commands(): readonly Record<string, unknown>[];
};

/** @param manifest what lies in the catalog, as repositoryOf writes it. */
export async function startSshForge(
  manifest: string,
  env: Readonly<Record<string, string>> = {},
  times?: Partial<ConnectionTimes>,
): Promise<SshForge> {
  const folder = await createTempDirectory('ssh');
  const context = createTestContext();
  const closing = new CloseStack();
  const dataDir = join(folder.path, 'data');
  const catalog = join(folder.path, 'catalog');
  await mkdir(dataDir, { recursive: true });
  await mkdir(catalog);
  await writeFile(join(catalog, 'all.yaml'), manifest);
  const config = readConfig({ WARREN_CATALOG: catalog, ...env }, [
    ...settings.baseSettings,
    ...limitSettings,
  ]);
  const core = await createCore(
    { config, dataDir, background: context, parentEnv: process.env, creates: true },
    closing,
  );
  await core.catalog.start(context);
  await core.repositories.reconcile(context, core.catalog.state().repositories.values());
  const server = createSshServer({
    context,
    services: createGitServices(core),
    monitor: createSshMetrics(core.registry),
    hostKeys: await loadHostKeys(dataDir),
    host: '127.0.0.1',
    port: 0,
    ...(times === undefined ? {} : { times }),
  });
  await server.start();
  closing.defer('ssh', () => server.close());
  const { port } = server;
  return {
    core,
    server,
    context,
    port,
    folder: folder.path,
    urlOf: (path) => `ssh://git@127.0.0.1:${port}/${path}`,
    gitDirOf: (path) => core.repositories.directoryOf(path),
    commands: () =>
      context.lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ message }) => message === 'ssh command'),
    async addAccount(name, type = 'ed25519') {
      const key = await createSshKey(folder.path, type, `id_${name}`);
      await core.accounts.addAccount(context, 'test', { name });
      await core.accounts.addKey(context, 'test', name, { line: key.publicLine });
      return key;
    },
    async [Symbol.asyncDispose]() {
      context.abort();
      await closing.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
