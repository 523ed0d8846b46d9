// An AccountStore on a real repository in a given folder, for tests; closed when it leaves its scope.

import { join } from 'node:path';
import { createTestPasswordSlots } from '#support/password-slots.ts';
import { AccountStore } from '#entity/account-store.ts';
import { createRunSystemGit, type RunSystemGit } from '#entity/run-system-git.ts';
import { createGitRunner } from '#git/git-runner.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Log, silentLog } from '#kernel/log.ts';
import { silentProcessMonitor } from '#process/process-monitor.ts';

export const testContext: Context = { signal: new AbortController().signal, log: silentLog };

export type TestAccounts = AsyncDisposable & {
  readonly store: AccountStore;
  readonly gitDir: string;
  readonly git: RunSystemGit;
};

/** @param options.wrapGit sees every git call, to stop one or to do something before it. */
export async function openTestAccounts(
  dataDir: string,
  options: { wrapGit?: (git: RunSystemGit) => RunSystemGit; clock?: Clock; log?: Log } = {},
): Promise<TestAccounts> {
  const { wrapGit = (git) => git, clock = systemClock, log = silentLog } = options;
  const gitDir = join(dataDir, 'system', 'accounts.git');
  const monitor = silentProcessMonitor;
  const runner = await createGitRunner(testContext, { monitor, parentEnv: process.env });
  const git = createRunSystemGit(gitDir, runner);
  const slots = createTestPasswordSlots();
  const store = new AccountStore({ gitDir, git: wrapGit(git), clock, log, slots });
  await store.start(testContext);
  return { store, gitDir, git, [Symbol.asyncDispose]: () => store.close() };
}
