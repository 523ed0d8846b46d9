// What access needs to know of accounts. entity/account-store.ts implements it; entry wires the two.
// Every method answers from memory, at once: they run on each request, before anything is admitted.
// Must stay true: what was revoked is not found any more, within 1 s of the write wherever it was made.

export type AccountSnapshot = {
  readonly name: string;
  readonly groups: readonly string[];
  readonly operator: boolean;
  readonly disabled: boolean;
};

export type TokenMatch = {
  readonly account: AccountSnapshot;
  readonly tokenId: string;
  /** The stored hash, for a comparison in constant time. */
  readonly hash: string;
  readonly readOnly: boolean;
  /** Milliseconds since the epoch; undefined lives until revoked. */
  readonly expiresAtMs: number | undefined;
};

export type KeyMatch = {
  readonly account: AccountSnapshot;
  readonly keyId: string;
};

export interface AccountDirectory {
  /** @param hash of the token, by hashToken. */
  findByTokenHash(hash: string): TokenMatch | undefined;
  /** @param fingerprint `SHA256:…` of the public key blob, by fingerprintOf. */
  findByKeyFingerprint(fingerprint: string): KeyMatch | undefined;
  findByName(name: string): AccountSnapshot | undefined;
  /** The encoded password hash; apart from the snapshot so that it does not travel with it. */
  findPasswordHash(name: string): string | undefined;
  /** Grows with every change. */
  version(): number;
  /** Calls back after each change is visible; dispose to stop. */
  onChange(listener: () => void): Disposable;
}
