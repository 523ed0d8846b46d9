// Brings a mirror up to date with its source: one fetch for all refs, deletions included.

import type { Context } from '#kernel/context.ts';
import type { GitRunner } from '#git/git-runner.ts';

const refspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];

/** @throws CHILD_FAILED with git's words when the source does not answer. */
export async function fetchMirror(
  ctx: Context,
  git: GitRunner,
  gitDir: string,
  sourceUrl: string,
): Promise<void> {
  await git.read(ctx, {
    args: [
      `--git-dir=${gitDir}`,
      'fetch',
      '--quiet',
      '--prune',
      '--atomic',
      '--',
      sourceUrl,
      ...refspecs,
    ],
    cwd: gitDir,
    label: 'fetch',
  });
}
