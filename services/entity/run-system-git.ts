// Runs git on a system repository, with a deadline; account-repository.ts takes it as an argument, entry makes it.
// The runner forces the configuration: what git reports as written is on disk (fsync of objects and refs).

import { linkAbort } from '#kernel/abort.ts';
import { withSignal, type Context } from '#kernel/context.ts';
import type { GitRunner } from '#git/git-runner.ts';
import type { RunResult } from '#process/run-child.ts';

export type GitCall = {
  readonly args: readonly string[];
  readonly input?: string | Buffer;
  /** Added to the environment: author and committer. */
  readonly env?: Readonly<Record<string, string>>;
};

export type RunSystemGit = (ctx: Context, call: GitCall) => Promise<RunResult>;

const timeoutMs = 60_000;
const maxBytes = 512 * 2 ** 20;

/** @param gitDir given as --git-dir, so that git looks for no other repository around it. */
export function createRunSystemGit(gitDir: string, git: GitRunner): RunSystemGit {
  return async (ctx, { args, ...rest }) => {
    const deadline = linkAbort(ctx.signal, timeoutMs);
    try {
      return await git.run(withSignal(ctx, deadline.signal), {
        args: [`--git-dir=${gitDir}`, ...args],
        cwd: '/',
        label: 'other',
        config: ['core.hooksPath=/dev/null'],
        maxBytes,
        ...rest,
      });
    } finally {
      deadline[Symbol.dispose]();
    }
  };
}
