// What every service of the program stands on, made in order and closed in reverse: accounts, catalog, repositories,
// limits, metrics. Wiring only; called by serve.

import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPasswordSlots } from '#access/password-slots.ts';
import { type Authenticator, createAuthenticator } from '#access/authenticate.ts';
import { type Admission, createAdmission } from '#admission/create-admission.ts';
import { createDirectoryCatalog, type DirectoryCatalog } from '#catalog/directory-catalog.ts';
import { AccountStore } from '#entity/account-store.ts';
import { createRunSystemGit } from '#entity/run-system-git.ts';
import { systemClock } from '#kernel/clock.ts';
import type { CloseStack } from '#kernel/close-stack.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { createRegistry, type Registry } from '#kernel/metrics.ts';
import { registerProcessMetrics } from '#kernel/process-metrics.ts';
import * as settings from '#kernel/settings.ts';
import { createGitRunner, type GitRunner } from '#git/git-runner.ts';
import { RefSnapshots } from '#git/ref-snapshot.ts';
import { RepositoryStore } from '#git/repository-store.ts';
import { OutputTaps } from '#process/output-tap.ts';
import { createProcessMetrics } from '#process/metrics.ts';

export type Core = {
  readonly config: Config;
  readonly dataDir: string;
  /** Lives as long as the server; its signal aborts when the drain is over. */
  readonly background: Context;
  readonly registry: Registry;
  readonly admission: Admission;
  readonly git: GitRunner;
  readonly snapshots: RefSnapshots;
  readonly repositories: RepositoryStore;
  readonly catalog: DirectoryCatalog;
  readonly accounts: AccountStore;
  readonly authenticator: Authenticator;
};

export type CoreOptions = {
  readonly config: Config;
  readonly dataDir: string;
  readonly background: Context;
  readonly parentEnv: Readonly<Record<string, string | undefined>>;
  /** Whether this process makes the repositories the catalog names: the one with the transport. */
  readonly creates: boolean;
};

const maxSocketPathBytes = 107;

/** The catalog is not started yet: the first start may put a sample into it. */
export async function createCore(options: CoreOptions, closing: CloseStack): Promise<Core> {
  const { config, dataDir, background, parentEnv } = options;
  const registry = createRegistry();
  const processMetrics = registerProcessMetrics(registry);
  closing.defer('process metrics', () => processMetrics[Symbol.dispose]());
  const admission = createAdmission({ config, registry, clock: systemClock });
  const taps = await startTaps(config, dataDir, options.creates);
  closing.defer('output taps', () => taps.close());
  const git = await createGitRunner(background, {
    monitor: createProcessMetrics(registry),
    parentEnv,
    owner: dataDir,
    taps,
  });
  const slots = createPasswordSlots(admission.passwordChecks);
  const gitDir = join(dataDir, 'system', 'accounts.git');
  const accounts = new AccountStore({
    gitDir,
    git: createRunSystemGit(gitDir, git),
    clock: systemClock,
    log: background.log,
    slots,
  });
  await accounts.start(background);
  closing.defer('accounts', () => accounts.close());
  const authenticator = createAuthenticator({ directory: accounts, slots, clock: systemClock });
  const snapshots = new RefSnapshots(git);
  const repositories = new RepositoryStore({ dataDir, git, snapshots, creates: options.creates });
  closing.defer('repositories', () => repositories.close());
  const catalog = createDirectoryCatalog({
    directory: config.get(settings.catalog) ?? './catalog',
    log: background.log,
  });
  closing.defer('catalog', () => catalog.close());
  return {
    config,
    dataDir,
    background,
    registry,
    admission,
    git,
    snapshots,
    repositories,
    catalog,
    accounts,
    authenticator,
  };
}

/** In the run directory, or where its path would be too long for a socket, in a private folder of the temp directory. */
async function startTaps(
  config: Config,
  dataDir: string,
  isTransport: boolean,
): Promise<OutputTaps> {
  const name = isTransport ? 'output.sock' : `output-${process.pid}.sock`;
  const runDir = config.get(settings.runDir) ?? join(dataDir, 'run');
  await mkdir(runDir, { recursive: true, mode: 0o700 });
  const wanted = join(runDir, name);
  const fits = Buffer.byteLength(wanted) <= maxSocketPathBytes;
  const folder = fits ? runDir : await mkdtemp(join(tmpdir(), 'warren-'));
  const taps = new OutputTaps(join(folder, name), { ownsFolder: !fits });
  await taps.start();
  return taps;
}
