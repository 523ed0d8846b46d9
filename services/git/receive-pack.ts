// How receive-pack is started: bounds, quarantine hook and identity, the same for HTTP and SSH.

import { fileURLToPath } from 'node:url';
import type { Context } from '#kernel/context.ts';
import type { Child } from '#process/start-child.ts';
import type { GitRunner } from '#git/git-runner.ts';
import { watchQuarantine } from '#git/quarantine.ts';

const hooksDirectory = fileURLToPath(new URL('hooks', import.meta.url));

export type ReceivePackOptions = {
  readonly gitDir: string;
  readonly maxPushBytes: number;
  readonly maxBlobBytes: number | undefined;
  readonly fastForwardOnly: readonly string[];
  readonly accountName: string;
};

/** One stateless round: the update request and pack on stdin, progress and report on stdout. */
export async function startReceivePack(
  ctx: Context,
  git: GitRunner,
  options: ReceivePackOptions,
): Promise<Child> {
  const { gitDir, fastForwardOnly, maxBlobBytes } = options;
  const needsHook = fastForwardOnly.length > 0 || maxBlobBytes !== undefined;
  const leaveQuarantine = watchQuarantine(gitDir);
  const starting = git.start(ctx, {
    args: ['receive-pack', '--stateless-rpc', gitDir],
    cwd: gitDir,
    label: 'receive-pack',
    config: [
      `receive.maxInputSize=${options.maxPushBytes}`,
      // A repository's own hooks never run; ours costs a process, so only when it has something to check.
      `core.hooksPath=${needsHook ? hooksDirectory : '/dev/null'}`,
    ],
    env: {
      GIT_COMMITTER_NAME: options.accountName,
      GIT_COMMITTER_EMAIL: `${options.accountName}@localhost`,
      WARREN_FAST_FORWARD_ONLY: fastForwardOnly.join('\n'),
      WARREN_MAX_BLOB_BYTES: maxBlobBytes === undefined ? '' : String(maxBlobBytes),
    },
  });
  let child: Child;
  try {
    child = await starting;
  } catch (error) {
    await leaveQuarantine(false);
    throw error;
  }
  const ended = child.ended.then(async (exit) => {
    // A folder that cannot be removed now is found again at the next kill or start.
    await leaveQuarantine(exit.code === null).catch((error: unknown) => {
      ctx.log.warn('a quarantine folder is left', { gitDir, error });
    });
    return exit;
  });
  return { ...child, ended };
}
