import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGitRunner } from '#git/git-runner.ts';
import { RefSnapshots } from '#git/ref-snapshot.ts';
import { RepositoryStore } from '#git/repository-store.ts';
import type { RepositoryEntry } from '#model/catalog-entry.ts';
import type { RepositorySpec } from '#model/kinds.generated.ts';
import { silentProcessMonitor } from '#process/process-monitor.ts';
import { createGitClient } from '#support/git-client.ts';
import { buildRepository } from '#support/repository-builder.ts';
import { createTempDirectory } from '#support/temp-directory.ts';
import { createTestContext } from '#support/test-context.ts';

const spec: RepositorySpec = {
  visibility: 'public',
  defaultBranch: 'main',
  placement: { dedicated: false },
  limits: {},
  access: [],
  protectedBranches: [],
  archived: false,
  suspend: false,
  reclaimPolicy: 'Retain',
};

function entryOf(name: string, more: Partial<RepositorySpec> = {}): RepositoryEntry {
  return {
    kind: 'Repository',
    namespace: 'team',
    name,
    id: `team/${name}`,
    path: `team/${name}`,
    spec: { ...spec, ...more },
    origin: { file: 'x.yaml', line: 1 },
  };
}

async function openStore() {
  const folder = await createTempDirectory('store');
  const context = createTestContext();
  const git = await createGitRunner(context, {
    monitor: silentProcessMonitor,
    parentEnv: process.env,
  });
  const client = await createGitClient();
  const make = () =>
    new RepositoryStore({ dataDir: folder.path, git, snapshots: new RefSnapshots(git) });
  const store = make();
  return {
    folder: folder.path,
    context,
    client,
    store,
    /** The store of a server that starts again on the same folder. */
    restart: make,
    async [Symbol.asyncDispose]() {
      context.abort();
      await store.close();
      await client[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('an empty repository is made bare, with HEAD on its default branch and no hooks', async () => {
  await using forge = await openStore();
  const { store, context, client } = forge;
  await store.reconcile(context, [entryOf('new', { defaultBranch: 'trunk' })]);
  expect(store.stateOf('team/new')).toMatchObject({ kind: 'ready', objectFormat: 'sha1' });
  const gitDir = store.directoryOf('team/new');
  expect(await client.ok(['-C', gitDir, 'symbolic-ref', 'HEAD'])).toBe('refs/heads/trunk');
  expect(await readdir(gitDir)).not.toContain('hooks');
  expect(await readdir(join(forge.folder, 'tmp'))).toEqual([]);
});

test('a source is copied with all branches and tags, stands on its own, and forgets its address', async () => {
  await using forge = await openStore();
  const { store, context, client, folder } = forge;
  const source = await buildRepository(join(folder, 'source.git'), {
    commits: 30,
    branches: { topic: 10 },
    tags: { v1: { at: 5, message: 'one' } },
  });
  await store.reconcile(context, [entryOf('copy', { source: sourceOf(source.path) })]);
  expect(store.stateOf('team/copy')).toMatchObject({ kind: 'ready' });
  await rename(source.path, `${source.path}.gone`);
  const gitDir = store.directoryOf('team/copy');
  expect(await client.ok(['-C', gitDir, 'rev-list', '--count', '--all'])).toBe('30');
  expect(await client.ok(['-C', gitDir, 'fsck', '--strict'])).toBe('');
  expect(await client.ok(['-C', gitDir, 'tag'])).toBe('v1');
  expect((await client.run(['-C', gitDir, 'config', 'remote.origin.url'])).code).toBe(1);
});

test('a source that borrows objects is copied with them, not with the loan', async () => {
  await using forge = await openStore();
  const { store, context, client, folder } = forge;
  const lender = await buildRepository(join(folder, 'lender.git'), { commits: 5 });
  const borrower = join(folder, 'borrower.git');
  await client.ok(['clone', '-q', '--bare', '--shared', lender.path, borrower]);
  await store.reconcile(context, [entryOf('copy', { source: sourceOf(borrower) })]);
  const gitDir = store.directoryOf('team/copy');
  await rename(lender.path, `${lender.path}.gone`);
  expect(await client.ok(['-C', gitDir, 'fsck', '--strict'])).toBe('');
});

test('a source that is not there is a failed repository with a sentence, and is tried again when asked', async () => {
  await using forge = await openStore();
  const { store, context, folder } = forge;
  const path = join(folder, 'later.git');
  const entry = entryOf('late', { source: sourceOf(path) });
  await store.reconcile(context, [entry]);
  expect(store.stateOf('team/late')).toMatchObject({
    kind: 'failed',
    sentence: expect.stringContaining('could not be imported'),
  });
  expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  await buildRepository(path);
  await store.reconcile(context, [entry]);
  expect(store.stateOf('team/late')).toMatchObject({ kind: 'ready' });
});

test('a repository that leaves the catalog is hidden, keeps its data, and comes back with it', async () => {
  await using forge = await openStore();
  const { store, context, client, folder } = forge;
  const source = await buildRepository(join(folder, 'source.git'), { commits: 3 });
  const entry = entryOf('kept', { source: sourceOf(source.path), reclaimPolicy: 'Delete' });
  await store.reconcile(context, [entry]);
  await store.reconcile(context, []);
  expect(store.stateOf('team/kept')).toBeUndefined();
  const gitDir = store.directoryOf('team/kept');
  expect(await client.ok(['-C', gitDir, 'rev-list', '--count', 'main'])).toBe('3');
  // What a push that still runs has in quarantine is not taken for a leftover.
  await mkdir(join(gitDir, 'objects/tmp_objdir-incoming-running'));
  await store.reconcile(context, [entry]);
  expect(store.stateOf('team/kept')).toMatchObject({ kind: 'ready' });
  expect(await readdir(join(gitDir, 'objects'))).toContain('tmp_objdir-incoming-running');
});

test('the first reconcile of a start removes what a crash left behind, and nothing else', async () => {
  await using forge = await openStore();
  const { store, context, client, folder } = forge;
  const source = await buildRepository(join(folder, 'source.git'), { commits: 3 });
  const entry = entryOf('swept', { source: sourceOf(source.path) });
  await store.reconcile(context, [entry]);
  const gitDir = store.directoryOf('team/swept');
  await mkdir(join(gitDir, 'objects/tmp_objdir-incoming-dead/pack'), { recursive: true });
  for (const file of ['objects/pack/tmp_pack_a1', 'refs/heads/main.lock', 'packed-refs.lock']) {
    await writeFile(join(gitDir, file), '');
  }
  const again = forge.restart();
  await again.reconcile(context, [entry]);
  await again.close();
  expect(await readdir(join(gitDir, 'objects'))).not.toContain('tmp_objdir-incoming-dead');
  expect(await client.ok(['-C', gitDir, 'rev-list', '--count', 'main'])).toBe('3');
  await client.ok(['-C', gitDir, 'update-ref', 'refs/heads/main', 'main~1']);
});

test('HEAD follows the default branch once that exists, and stays where an import had it until then', async () => {
  await using forge = await openStore();
  const { store, context, client, folder } = forge;
  const source = await buildRepository(join(folder, 'source.git'), { commits: 3 });
  const wanted = (defaultBranch: string) =>
    entryOf('head', { source: sourceOf(source.path), defaultBranch });
  await store.reconcile(context, [wanted('next')]);
  const gitDir = store.directoryOf('team/head');
  const head = () => client.ok(['-C', gitDir, 'symbolic-ref', 'HEAD']);
  expect(await head()).toBe('refs/heads/main');
  await client.ok(['-C', gitDir, 'branch', 'next', 'main']);
  await store.reconcile(context, [wanted('next')]);
  expect(await head()).toBe('refs/heads/next');
});

test('a suspended repository is not made', async () => {
  await using forge = await openStore();
  const { store, context, folder } = forge;
  await store.reconcile(context, [entryOf('off', { suspend: true })]);
  expect(store.stateOf('team/off')).toEqual({ kind: 'suspended' });
  expect(await readdir(folder)).toEqual([]);
});

test('a mirror follows its source, deletions included', async () => {
  await using forge = await openStore();
  const { store, context, client, folder } = forge;
  const source = await buildRepository(join(folder, 'source.git'), {
    commits: 3,
    branches: { old: 1 },
  });
  const mirror = { ...sourceOf(source.path), mirror: true, interval: '1s' };
  await store.reconcile(context, [entryOf('mirror', { source: mirror })]);
  const gitDir = store.directoryOf('team/mirror');
  await client.ok(['-C', source.path, 'branch', '-D', 'old']);
  await client.ok(['-C', source.path, 'branch', 'new', 'main']);
  await expect
    .poll(() => client.ok(['-C', gitDir, 'for-each-ref', '--format=%(refname)']), { timeout: 5000 })
    .toBe('refs/heads/main\nrefs/heads/new');
});

function sourceOf(url: string) {
  return { url, mirror: false, interval: '10m' };
}
