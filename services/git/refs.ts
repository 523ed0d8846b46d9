// Points HEAD. Branches and tags move by receive-pack and fetch alone; the accounts' own ref by entity/account-repository.

import type { Context } from '#kernel/context.ts';
import type { GitRunner } from '#git/git-runner.ts';

/** Points HEAD at a branch, which need not exist yet. */
export async function pointHead(
  ctx: Context,
  git: GitRunner,
  gitDir: string,
  branch: string,
): Promise<void> {
  await git.read(ctx, {
    args: [`--git-dir=${gitDir}`, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`],
    cwd: gitDir,
    label: 'other',
  });
}
