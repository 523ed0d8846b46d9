// What the git edges share: made once by entry, passed to HTTP and SSH alike.

import type { Admission } from '#admission/create-admission.ts';
import type { Authenticator } from '#access/authenticate.ts';
import type { Context } from '#kernel/context.ts';
import type { Capabilities } from '#git/capabilities.ts';
import type { GitRunner } from '#git/git-runner.ts';
import type { RepositorySizes } from '#git/repository-sizes.ts';
import type { RefSnapshots } from '#git/ref-snapshot.ts';
import type { RepositoryDirectory } from '#transport/git-target.ts';

export type GitServices = {
  readonly git: GitRunner;
  readonly snapshots: RefSnapshots;
  readonly capabilities: Capabilities;
  readonly sizes: RepositorySizes;
  readonly repositories: RepositoryDirectory;
  readonly authenticator: Authenticator;
  readonly admission: Admission;
  /** Lives as long as the server: for work that others wait for too when its first asker leaves. */
  readonly background: Context;
  /** Told after each push that may have moved refs. */
  readonly onPushed: (repositoryId: string) => void;
};
