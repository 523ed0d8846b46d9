// Makes a repository on disk, empty or as the copy of another, in a scratch folder first: it appears under its name
// whole or not at all. Called by repository-store.

import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { Context } from '#kernel/context.ts';
import { syncDirectory } from '#kernel/durable-file.ts';
import { errnoOf, ForgeError } from '#kernel/forge-error.ts';
import type { ObjectFormat } from '#model/oid.ts';
import type { RefFormat } from '#model/repository-state.ts';
import { createProgressReader, type FetchProgress } from '#git/fetch-progress.ts';
import type { GitRunner } from '#git/git-runner.ts';
import { hasFeature } from '#git/git-version.ts';
import { scratchDirectory } from '#git/repository-layout.ts';

export type CreateOptions = {
  readonly dataDir: string;
  readonly gitDir: string;
  readonly defaultBranch: string;
  readonly objectFormat: ObjectFormat | undefined;
  readonly refFormat: RefFormat | undefined;
  /** An address or absolute path to copy from. */
  readonly sourceUrl: string | undefined;
  readonly onProgress: (progress: FetchProgress) => void;
};

/** @throws IMPORT_FAILED with git's own words; INVALID when this git cannot do the ref format. */
export async function createRepository(
  ctx: Context,
  git: GitRunner,
  options: CreateOptions,
): Promise<void> {
  const scratch = join(scratchDirectory(options.dataDir), `create-${randomUUID()}.git`);
  const formatFlags = refFormatFlags(git, options.refFormat);
  await mkdir(dirname(scratch), { recursive: true });
  try {
    if (options.sourceUrl === undefined)
      await initialise(ctx, git, { ...options, scratch, formatFlags });
    else await copy(ctx, git, { ...options, scratch, formatFlags, sourceUrl: options.sourceUrl });
    await mkdir(dirname(options.gitDir), { recursive: true });
    await rename(scratch, options.gitDir);
    await syncDirectory(dirname(options.gitDir));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

type Making = CreateOptions & { readonly scratch: string; readonly formatFlags: readonly string[] };

async function initialise(ctx: Context, git: GitRunner, making: Making): Promise<void> {
  await git.read(ctx, {
    args: [
      'init',
      '--bare',
      '--quiet',
      '--template=',
      `--object-format=${making.objectFormat ?? 'sha1'}`,
      ...making.formatFlags,
      `--initial-branch=${making.defaultBranch}`,
      making.scratch,
    ],
    cwd: scratchDirectory(making.dataDir),
    label: 'other',
  });
}

/** One git process whatever the source: it hard-links packs when the source is a path on the same volume. */
async function copy(
  ctx: Context,
  git: GitRunner,
  making: Making & { readonly sourceUrl: string },
): Promise<void> {
  const progress = createProgressReader(making.onProgress);
  const child = await git.start(ctx, {
    args: [
      'clone',
      '--bare',
      '--progress',
      '--template=',
      '--reject-shallow',
      ...(await localityFlags(making.sourceUrl)),
      ...making.formatFlags,
      '--',
      making.sourceUrl,
      making.scratch,
    ],
    cwd: scratchDirectory(making.dataDir),
    label: 'fetch',
    streamStderr: true,
  });
  child.stderr.on('data', (chunk: Buffer) => progress.take(chunk));
  child.stdout.resume();
  child.stdin.end();
  const exit = await child.ended;
  ctx.signal.throwIfAborted();
  if (exit.code !== 0) {
    throw new ForgeError('IMPORT_FAILED', { sentence: lastWords(progress.messages()) });
  }
  // The copy stands on its own: where it came from is in the manifest, and may hold a password.
  await git.read(ctx, {
    args: [`--git-dir=${making.scratch}`, 'config', '--remove-section', 'remote.origin'],
    cwd: making.scratch,
    label: 'other',
  });
}

/** A source that borrows objects from elsewhere must not be hard-linked: the copy would borrow them too. */
async function localityFlags(sourceUrl: string): Promise<readonly string[]> {
  if (!isAbsolute(sourceUrl)) return [];
  for (const objects of ['objects', '.git/objects']) {
    try {
      await stat(join(sourceUrl, objects, 'info/alternates'));
      return ['--no-local'];
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR') throw error;
    }
  }
  return [];
}

function refFormatFlags(git: GitRunner, wanted: RefFormat | undefined): readonly string[] {
  const canReftable = hasFeature(git.version, 'reftable');
  if (wanted === 'reftable' && !canReftable) {
    const sentence = `refFormat reftable needs git 2.45 or newer; this is ${git.version.join('.')}`;
    throw new ForgeError('INVALID', { sentence });
  }
  return canReftable ? [`--ref-format=${wanted ?? 'reftable'}`] : [];
}

function lastWords(messages: string): string {
  const lines = messages.split('\n').filter((line) => !line.startsWith('Cloning into'));
  return lines.join('; ') || 'git gave no reason';
}
