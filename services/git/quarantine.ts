// Removes the quarantine folder of a receive-pack that was killed: git itself does not since 2.38, and a busy server is
// not restarted for days. Called by receive-pack when its child has ended; a crash of the server leaves it to
// sweep-leftovers. Must never remove the folder of a push that still runs.

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '#kernel/forge-error.ts';

/** When each running receive-pack of this process began, by repository; the data directory's lock makes it all of them. */
const running = new Map<string, Set<{ readonly startedMs: number }>>();

/** File times come from the kernel's tick, which may lie this much behind. */
const grainMs = 50;

/** Call it before the child starts. @returns what to call once, when its group is gone. */
export function watchQuarantine(gitDir: string): (wasKilled: boolean) => Promise<void> {
  const push = { startedMs: Date.now() };
  const pushes = running.get(gitDir) ?? new Set();
  running.set(gitDir, pushes.add(push));
  return async (wasKilled) => {
    pushes.delete(push);
    if (pushes.size === 0 && running.get(gitDir) === pushes) running.delete(gitDir);
    if (wasKilled) await removeAbandoned(gitDir);
  };
}

/** What is older than every push that runs belongs to none of them; the rest goes when the next one is killed. */
async function removeAbandoned(gitDir: string): Promise<void> {
  const objects = join(gitDir, 'objects');
  for (const name of await readdir(objects)) {
    if (!/^(tmp_objdir-)?incoming-/.test(name)) continue;
    const path = join(objects, name);
    const madeMs = await birthOf(path);
    const oldestMs = Math.min(...[...(running.get(gitDir) ?? [])].map((push) => push.startedMs));
    if (madeMs + grainMs < oldestMs) await rm(path, { recursive: true, force: true });
  }
}

async function birthOf(path: string): Promise<number> {
  try {
    return (await stat(path)).birthtimeMs;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Infinity; // Its own git has removed it.
    throw error;
  }
}
