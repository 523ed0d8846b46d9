// The order of a start: first account, sample, repositories, then the ports. Called by serve.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureFirstAccount } from '#entity/first-account.ts';
import { sleep } from '#kernel/abort.ts';
import type { CloseStack } from '#kernel/close-stack.ts';
import { writePrivateFile } from '#kernel/durable-file.ts';
import * as settings from '#kernel/settings.ts';
import type { Readiness } from '#transport/admin-server.ts';
import { loadHostKeys } from '#transport/ssh-host-keys.ts';
import type { Core } from '#entry/core.ts';
import { Listening } from '#entry/listening.ts';
import { samplePath, seedSample, writeSampleManifest } from '#entry/sample-repository.ts';
import type { StartFacts } from '#entry/start-message.ts';

/** How long the start waits for repositories of the catalog to be there; imports go on behind it. */
const prepareWaitMs = 2000;

type StartOptions = {
  readonly services: readonly settings.ServiceName[];
  readonly readiness: Readiness;
};

/** Brings everything up in order; what it opened closes with `closing`. @throws PORT_IN_USE */
export async function startServices(
  core: Core,
  { services, readiness }: StartOptions,
  closing: CloseStack,
): Promise<StartFacts> {
  const { config, dataDir, background } = core;
  const catalogDirectory = config.get(settings.catalog) ?? './catalog';
  const owns = services.includes('transport');
  // An RSA key takes a moment: it is made while everything else starts.
  const hostKeys = owns ? loadHostKeys(dataDir) : undefined;
  hostKeys?.catch(() => {}); // Whoever awaits it below has the error; a failure before must not hide behind it.
  const first = services.includes('metadata')
    ? await ensureFirstAccount(background, core.accounts, dataDir)
    : undefined;
  const sampled = owns && (await writeSampleManifest(catalogDirectory));
  await startRepositories(core, closing);
  if (sampled) await seedSampleOnce(core);

  const listening = new Listening(core, readiness, closing);
  const addresses = await listening.begin(services, hostKeys);
  if (owns) {
    const { local, ssh, admin } = addresses;
    const file = join(dataDir, 'server.json');
    await writePrivateFile(
      file,
      `${JSON.stringify({ pid: process.pid, http: local, ssh, admin })}\n`,
    );
    closing.defer('server.json', () => rm(file, { force: true }));
  }
  return {
    addresses,
    adminToken: first?.kind === 'made' ? first.token : undefined,
    tokenFile: join(dataDir, 'admin-token'),
    samplePath: core.catalog.state().repositories.has(samplePath) ? samplePath : undefined,
    catalogDirectory,
  };
}

/** Follows the catalog from now on, and waits a little for what it names. */
async function startRepositories(core: Core, closing: CloseStack): Promise<void> {
  const { catalog, repositories, background } = core;
  await catalog.start(background);
  const reconcile = () =>
    repositories
      .reconcile(background, catalog.state().repositories.values())
      .catch((error: unknown) => {
        if (!background.signal.aborted) background.log.error('reconcile failed', { error });
      });
  const listening = catalog.onChange(() => void reconcile());
  closing.defer('catalog listener', () => listening[Symbol.dispose]());
  await Promise.race([reconcile(), sleep(prepareWaitMs, background.signal)]);
}

async function seedSampleOnce({ catalog, repositories, background, git }: Core): Promise<void> {
  const entry = catalog.state().repositories.get(samplePath);
  if (entry === undefined || repositories.stateOf(entry.id)?.kind !== 'ready') return;
  await seedSample(background, git, repositories.directoryOf(entry.id));
}
