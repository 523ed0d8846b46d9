// What may be shown of accounts, tokens and keys: everything but hashes. account-store.ts answers with these.

import type { AccountRecord, KeyRecord, TokenRecord } from '#entity/account-record.ts';

export type AccountView = {
  readonly name: string;
  readonly operator: boolean;
  readonly disabled: boolean;
  readonly groups: readonly string[];
  readonly hasPassword: boolean;
  readonly createdAt: string;
};

export type TokenView = {
  readonly id: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
};

export type KeyView = {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly fingerprint: string;
  readonly createdAt: string;
};

export function viewAccount(record: AccountRecord): AccountView {
  const { name, operator, disabled, groups, createdAt, passwordHash } = record;
  return { name, operator, disabled, groups, hasPassword: passwordHash !== undefined, createdAt };
}

export function viewToken(token: TokenRecord): TokenView {
  const { id, name, readOnly, createdAt, expiresAt } = token;
  return { id, name, readOnly, createdAt, expiresAt: expiresAt ?? null };
}

export function viewKey(key: KeyRecord): KeyView {
  const { id, title, type, fingerprint, createdAt } = key;
  return { id, title, type, fingerprint, createdAt };
}
