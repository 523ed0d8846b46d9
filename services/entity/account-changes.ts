// Every change of an account as a pure decision: table → new record, or a refusal with its sentence. account-store.ts
// runs one again on newer state when another writer was first, so none may do anything but decide.

import type { SshKey } from '#access/ssh-key.ts';
import { accountNameProblem, groupNameProblem } from '#entity/account-name.ts';
import type { AccountRecord, KeyRecord, TokenRecord } from '#entity/account-record.ts';
import type { AccountTable } from '#entity/account-table.ts';
import {
  type AccountView,
  type KeyView,
  type TokenView,
  viewAccount,
  viewKey,
  viewToken,
} from '#entity/account-view.ts';

export type Refused = {
  readonly kind: 'refused';
  readonly code: 'NOT_FOUND' | 'CONFLICT' | 'INVALID';
  readonly sentence: string;
};
export type Outcome<T> = { readonly kind: 'done'; readonly value: T } | Refused;

/** What is to be written, and what the caller gets once it is. `unchanged` writes nothing. */
export type Change<T> =
  | {
      readonly kind: 'put';
      readonly record: AccountRecord;
      readonly why: string;
      readonly value: T;
    }
  | { readonly kind: 'unchanged'; readonly value: T }
  | Refused;

export type Decide<T> = (table: AccountTable) => Change<T>;

const maxTokens = 100;
const maxKeys = 100;
const maxGroups = 100;
const maxTitleChars = 100;

export type NewAccount = {
  readonly name: string;
  readonly operator?: boolean;
  readonly groups?: readonly string[];
  readonly passwordHash?: string;
  readonly tokens?: readonly TokenRecord[];
};

export function addAccount(wanted: NewAccount, createdAt: string): Decide<AccountView> {
  return (table) => {
    const { name, operator = false, groups = [], tokens = [], passwordHash } = wanted;
    const problem = accountNameProblem(name) ?? groupsProblem(groups);
    if (problem !== undefined) return refuse('INVALID', problem);
    if (table.isTaken(name)) return refuse('CONFLICT', `There is an account "${name}" already.`);
    const record: AccountRecord = {
      format: 1,
      name,
      operator,
      disabled: false,
      groups: [...new Set(groups)],
      createdAt,
      ...(passwordHash !== undefined && { passwordHash }),
      tokens,
      keys: [],
    };
    return { kind: 'put', record, why: `Add account ${name}`, value: viewAccount(record) };
  };
}

export type AccountPatch = {
  readonly disabled?: boolean | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly passwordHash?: string | undefined;
};

export function changeAccount(name: string, patch: AccountPatch): Decide<AccountView> {
  return (table) => {
    const before = table.get(name);
    if (before === undefined) return noAccount(name);
    const { disabled = before.disabled, groups = before.groups, passwordHash } = patch;
    const problem = groupsProblem(groups);
    if (problem !== undefined) return refuse('INVALID', problem);
    if (disabled && !before.disabled && isLastOperator(table, before)) {
      return refuse('CONFLICT', `"${name}" is the last operator and cannot be disabled.`);
    }
    const record: AccountRecord = {
      ...before,
      disabled,
      groups: [...new Set(groups)],
      ...(passwordHash !== undefined && { passwordHash }),
    };
    const value = viewAccount(record);
    if (JSON.stringify(record) === JSON.stringify(before)) return { kind: 'unchanged', value };
    return { kind: 'put', record, why: `Change account ${name}`, value };
  };
}

export function addToken(name: string, token: TokenRecord): Decide<TokenView> {
  return (table) => {
    const before = table.get(name);
    if (before === undefined) return noAccount(name);
    const problem = titleProblem('token', token.name);
    if (problem !== undefined) return refuse('INVALID', problem);
    if (before.tokens.length >= maxTokens) {
      return refuse('CONFLICT', `"${name}" has ${maxTokens} tokens already; revoke one first.`);
    }
    const record = { ...before, tokens: [...before.tokens, token] };
    const why = `Add token ${token.id} of ${name}`;
    return { kind: 'put', record, why, value: viewToken(token) };
  };
}

export function removeToken(name: string, id: string): Decide<TokenView> {
  return (table) => {
    const before = table.get(name);
    const token = before?.tokens.find((candidate) => candidate.id === id);
    if (before === undefined || token === undefined) {
      return refuse('NOT_FOUND', `"${name}" has no token "${id}".`);
    }
    const record = { ...before, tokens: before.tokens.filter((other) => other.id !== id) };
    const why = `Revoke token ${id} of ${name}`;
    return { kind: 'put', record, why, value: viewToken(token) };
  };
}

export function addKey(
  name: string,
  key: SshKey,
  own: { id: string; title: string; createdAt: string },
): Decide<KeyView> {
  return (table) => {
    const before = table.get(name);
    if (before === undefined) return noAccount(name);
    const problem = titleProblem('key', own.title);
    if (problem !== undefined) return refuse('INVALID', problem);
    // Whose it is stays untold: the answer must not say who works here.
    const owner = table.findKey(key.fingerprint)?.record.name;
    if (owner === name) return refuse('CONFLICT', 'This account has that key already.');
    if (owner !== undefined) return refuse('CONFLICT', 'That key belongs to another account.');
    if (before.keys.length >= maxKeys) {
      return refuse('CONFLICT', `"${name}" has ${maxKeys} keys already; remove one first.`);
    }
    const { type, fingerprint } = key;
    const added: KeyRecord = { ...own, type, blob: key.blob.toString('base64'), fingerprint };
    const record = { ...before, keys: [...before.keys, added] };
    return { kind: 'put', record, why: `Add key ${own.id} of ${name}`, value: viewKey(added) };
  };
}

export function removeKey(name: string, id: string): Decide<KeyView> {
  return (table) => {
    const before = table.get(name);
    const key = before?.keys.find((candidate) => candidate.id === id);
    if (before === undefined || key === undefined) {
      return refuse('NOT_FOUND', `"${name}" has no key "${id}".`);
    }
    const record = { ...before, keys: before.keys.filter((other) => other.id !== id) };
    return { kind: 'put', record, why: `Remove key ${id} of ${name}`, value: viewKey(key) };
  };
}

export function refuse(code: Refused['code'], sentence: string): Refused {
  return { kind: 'refused', code, sentence };
}

export function noAccount(name: string): Refused {
  return refuse('NOT_FOUND', `There is no account "${name}".`);
}

function isLastOperator(table: AccountTable, record: AccountRecord): boolean {
  const active = table.all().filter((other) => other.operator && !other.disabled);
  return record.operator && active.every((other) => other.name === record.name);
}

function groupsProblem(groups: readonly string[]): string | undefined {
  if (groups.length > maxGroups) return `An account is in at most ${maxGroups} groups.`;
  return groups.map(groupNameProblem).find((problem) => problem !== undefined);
}

function titleProblem(what: string, title: string): string | undefined {
  // eslint-disable-next-line no-control-regex -- they would break listings.
  const isFit = title.length <= maxTitleChars && !/[\u0000-\u001f\u007f]/.test(title);
  return isFit && title !== ''
    ? undefined
    : `The name of a ${what} has 1 to ${maxTitleChars} characters, none of them a control character.`;
}
