// One load: an operation repeated by a number of clients, each in a closed loop. Sent to the generator as JSON.

export type Operation = 'raw-clone' | 'raw-list' | 'git-clone' | 'git-list' | 'git-fetch';

export type LoadJob = {
  readonly operation: Operation;
  /** The repository's address, ending in `.git`. */
  readonly url: string;
  readonly depth?: number;
  readonly clients: number;
  /** Every client shows an address of its own in X-Forwarded-For. */
  readonly ownAddresses: boolean;
  readonly until: { readonly afterMs: number } | { readonly operations: number };
  /** Objects a clone must bring. */
  readonly objects: number;
  /** Folder for clones of real git; emptied as it goes. */
  readonly scratchDir: string;
};

/** One of 62,500 addresses; the same client has the same address in every job. */
export function addressOfClient(client: number): string {
  return `10.77.${Math.floor(client / 250) % 250}.${(client % 250) + 1}`;
}
