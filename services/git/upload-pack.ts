// How upload-pack and upload-archive are started, the same for HTTP and SSH.

import type { Context } from '#kernel/context.ts';
import type { Child } from '#process/start-child.ts';
import type { GitRunner } from '#git/git-runner.ts';

/** One stateless round: the request on stdin, the answer on stdout. */
export function startUploadPack(
  ctx: Context,
  git: GitRunner,
  options: {
    readonly gitDir: string;
    readonly protocol: string | undefined;
    /** SSH v0/v1 talks to one process from the advertisement to the end. */
    readonly stateless: boolean;
  },
): Promise<Child> {
  return git.start(ctx, {
    args: ['upload-pack', ...(options.stateless ? ['--stateless-rpc'] : []), options.gitDir],
    tapped: true,
    cwd: options.gitDir,
    label: 'upload-pack',
    ...(options.protocol === undefined ? {} : { env: { GIT_PROTOCOL: options.protocol } }),
  });
}

/** The v0/v1 advertisement, without the service header of HTTP. */
export function startAdvertisement(
  ctx: Context,
  git: GitRunner,
  options: { readonly gitDir: string; readonly protocol: string | undefined },
): Promise<Child> {
  return git.start(ctx, {
    args: ['upload-pack', '--http-backend-info-refs', options.gitDir],
    cwd: options.gitDir,
    label: 'upload-pack',
    ...(options.protocol === undefined ? {} : { env: { GIT_PROTOCOL: options.protocol } }),
  });
}

/** git archive --remote: the request on stdin, a framed archive on stdout. */
export function startUploadArchive(ctx: Context, git: GitRunner, gitDir: string): Promise<Child> {
  return git.start(ctx, {
    args: ['upload-archive', gitDir],
    cwd: gitDir,
    label: 'upload-archive',
  });
}
