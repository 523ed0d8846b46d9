// The one place that moves refs outside receive-pack and fetch: a transaction of old → new (DESIGN rule 2).

import type { Context } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import type { Oid } from '#model/oid.ts';
import type { GitRunner } from '#git/git-runner.ts';

export type RefMove = {
  readonly refName: string;
  /** The all-zero id: the ref must not exist. */
  readonly old: Oid;
  readonly new: Oid;
};

export type MoveOutcome = { readonly kind: 'moved' } | { readonly kind: 'conflict' };

/** Moves all refs or none. Conflict: a ref was not at its old value (or could not be locked). */
export async function moveRefs(
  ctx: Context,
  git: GitRunner,
  gitDir: string,
  moves: readonly RefMove[],
): Promise<MoveOutcome> {
  const lines = moves.map(({ refName, old, new: next }) => `update ${refName}\0${next}\0${old}\0`);
  const { code, stderr } = await git.run(ctx, {
    args: [`--git-dir=${gitDir}`, 'update-ref', '-z', '--stdin'],
    cwd: gitDir,
    label: 'other',
    input: lines.join(''),
  });
  if (code === 0) return { kind: 'moved' };
  if (code === 128 || code === 1) return { kind: 'conflict' };
  throw new ForgeError('CHILD_FAILED', { command: 'update-ref', stderr });
}

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
