// All accounts in memory, found by name, token hash and key fingerprint. account-store.ts owns one and answers reads
// from it. Must stay true: what a record does not hold any more is not found any more.

import type { AccountRecord, KeyRecord, TokenRecord } from '#entity/account-record.ts';

type Owned<T> = { readonly account: string; readonly value: T };

export class AccountTable {
  readonly #records = new Map<string, AccountRecord>();
  readonly #tokens = new Map<string, Owned<TokenRecord>>();
  readonly #keys = new Map<string, Owned<KeyRecord>>();
  readonly #unreadable: ReadonlySet<string>;

  /** @param unreadable names whose file cannot be read: taken, but nobody's. */
  constructor(records: Iterable<AccountRecord> = [], unreadable: Iterable<string> = []) {
    this.#unreadable = new Set(unreadable);
    for (const record of records) this.put(record);
  }

  /** Adds the record, or replaces the one of its name. */
  put(record: AccountRecord): void {
    const before = this.#records.get(record.name);
    for (const { hash } of before?.tokens ?? []) this.#tokens.delete(hash);
    for (const { fingerprint } of before?.keys ?? []) this.#keys.delete(fingerprint);
    this.#records.set(record.name, record);
    for (const value of record.tokens)
      this.#tokens.set(value.hash, { account: record.name, value });
    for (const value of record.keys) {
      this.#keys.set(value.fingerprint, { account: record.name, value });
    }
  }

  get(name: string): AccountRecord | undefined {
    return this.#records.get(name);
  }

  isTaken(name: string): boolean {
    return this.#records.has(name) || this.#unreadable.has(name);
  }

  /** True when there is no account at all, not even an unreadable one. */
  isEmpty(): boolean {
    return this.#records.size === 0 && this.#unreadable.size === 0;
  }

  /** Sorted by name. */
  all(): readonly AccountRecord[] {
    return [...this.#records.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  findToken(hash: string): { record: AccountRecord; token: TokenRecord } | undefined {
    const found = this.#tokens.get(hash);
    const record = found && this.#records.get(found.account);
    return found && record && { record, token: found.value };
  }

  findKey(fingerprint: string): { record: AccountRecord; key: KeyRecord } | undefined {
    const found = this.#keys.get(fingerprint);
    const record = found && this.#records.get(found.account);
    return found && record && { record, key: found.value };
  }
}
