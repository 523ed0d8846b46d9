// Builds real repositories by code, one `git fast-import` each. The same options give the same object ids.

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectFormat } from '#model/oid.ts';
import { createGitClient } from '#support/git-client.ts';
import { buildImportStream, type CommitSpec, type TagSpec } from '#support/import-stream.ts';

export type { CommitSpec };

export type BuildOptions = {
  /** A number means that many filler commits. */
  readonly commits?: number | readonly CommitSpec[];
  /** Further branches: name → index of a commit. */
  readonly branches?: Readonly<Record<string, number>>;
  /** Light tags by index of a commit, annotated ones with a message. */
  readonly tags?: Readonly<Record<string, TagSpec>>;
  readonly objectFormat?: ObjectFormat;
  /** False: with a work tree that has `main` checked out. */
  readonly bare?: boolean;
};

export type BuiltRepository = {
  readonly path: string;
  /** Ids of the commits in the order of the options. */
  readonly oids: readonly string[];
  /** The last commit. */
  readonly head: string;
};

/** Builds a repository at `path`, which must not exist; bare unless told otherwise. */
export async function buildRepository(
  path: string,
  options: BuildOptions = {},
): Promise<BuiltRepository> {
  await using git = await createGitClient();
  const { commits = 1, objectFormat = 'sha1', bare = true } = options;
  const specs = typeof commits === 'number' ? fillerCommits(commits) : commits;
  const kind = bare ? ['--bare'] : [];
  await git.ok(['init', '-q', ...kind, '-b', 'main', `--object-format=${objectFormat}`, path]);
  const marks = join(git.home, 'marks');
  await git.ok(
    ['-c', 'core.fsync=none', 'fast-import', '--quiet', '--done', `--export-marks=${marks}`],
    {
      cwd: path,
      input: buildImportStream(specs, options.branches, options.tags),
      timeoutMs: 120_000,
    },
  );
  if (!bare && specs.length > 0) await git.ok(['reset', '-q', '--hard', 'main'], { cwd: path });
  const oids = await readMarks(marks, specs.length);
  await rm(marks, { force: true });
  return { path, oids, head: oids.at(-1) ?? '' };
}

/** `count` commits that each change one of `paths` files; `bytes` of hardly compressible content each. */
export function fillerCommits(count: number, { bytes = 64, paths = 20 } = {}): CommitSpec[] {
  const random = createRandom(count);
  return Array.from({ length: count }, (_, index) => ({
    message: `change ${index}`,
    files: { [`src/file-${index % paths}.txt`]: randomText(random, bytes, index) },
  }));
}

async function readMarks(file: string, count: number): Promise<string[]> {
  const byMark = new Map<number, string>();
  for (const row of (await readFile(file, 'utf8')).split('\n')) {
    const match = /^:(\d+) ([0-9a-f]+)$/.exec(row);
    if (match !== null) byMark.set(Number(match[1]), match[2] ?? '');
  }
  return Array.from({ length: count }, (_, index) => byMark.get(index + 1) ?? '');
}

/** A small seeded generator (xorshift32): the same repository at every run. */
function createRandom(seed: number): () => number {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

function randomText(random: () => number, bytes: number, index: number): string {
  const words: string[] = [`${index}\n`];
  for (let length = 0; length < bytes; length += 8) {
    words.push(random().toString(36).padStart(7, '0'), length % 64 === 56 ? '\n' : ' ');
  }
  return words.join('');
}
