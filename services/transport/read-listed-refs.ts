// The refs of a repository for a listing: from memory when nothing has changed, else by one short git command under
// `git_page`, shared by all who ask meanwhile. Callers: discovery, serve-fetch, ssh, pages.

import { raceAbort } from '#kernel/abort.ts';
import type { Context } from '#kernel/context.ts';
import type { Refusal } from '#admission/refusal.ts';
import type { ClientClass } from '#model/client-class.ts';
import type { RefFormat } from '#model/repository-state.ts';
import type { RefSnapshot } from '#git/ref-snapshot.ts';
import type { GitServices } from '#transport/git-services.ts';

/** The reading itself runs under the server's context: others wait for it too when its first asker leaves. */
export async function readListedRefs(
  ctx: Context,
  { snapshots, admission, background }: Pick<GitServices, 'snapshots' | 'admission' | 'background'>,
  asked: {
    readonly gitDir: string;
    readonly refFormat: RefFormat;
    readonly class: ClientClass;
  },
): Promise<RefSnapshot | Refusal> {
  const { gitDir, refFormat } = asked;
  const current = snapshots.current(gitDir);
  if (current !== undefined) return current;
  const reading = snapshots.turns.run(gitDir, async () => {
    const permit = await admission.gitPage.acquire(background, {
      class: asked.class,
      clientKey: 'refs',
    });
    if (permit.kind === 'refused') return permit;
    try {
      return snapshots.current(gitDir) ?? (await snapshots.read(background, gitDir, refFormat));
    } finally {
      permit.release();
    }
  });
  return raceAbort(reading, ctx.signal);
}
