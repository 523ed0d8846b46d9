// Who asks a gate for a slot, and for what: everything a limit may key by.

import type { ClientClass } from '#model/client-class.ts';

export type RepositoryShare = {
  readonly id: string;
  /** spec.limits of the repository; absent = no bound of its own. */
  readonly concurrency?: number | undefined;
  readonly perClientConcurrency?: number | undefined;
};

export type AdmissionRequest = {
  readonly class: ClientClass;
  /** Account, IPv4 address or IPv6 /64: see client-key.ts. */
  readonly clientKey: string;
  readonly repository?: RepositoryShare;
};
