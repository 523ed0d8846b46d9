// One account as it stands in `accounts/<name>.json`, with its tokens and keys. account-repository.ts reads and
// writes these; account-changes.ts makes new ones from old. Must stay true: fields this program does not know are
// kept, because records are changed by spreading, never rebuilt.

export type TokenRecord = {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the token, hex; the token itself is nowhere. */
  readonly hash: string;
  readonly readOnly: boolean;
  readonly createdAt: string;
  readonly expiresAt?: string;
};

export type KeyRecord = {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  /** base64, as in the .pub file. */
  readonly blob: string;
  readonly fingerprint: string;
  readonly createdAt: string;
};

export type AccountRecord = {
  readonly format: 1;
  readonly name: string;
  readonly operator: boolean;
  readonly disabled: boolean;
  readonly groups: readonly string[];
  readonly createdAt: string;
  readonly passwordHash?: string;
  readonly tokens: readonly TokenRecord[];
  readonly keys: readonly KeyRecord[];
};

export function encodeAccount(record: AccountRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** The record of a file, or why it is none; a file that is none signs nobody in. */
export function decodeAccount(
  name: string,
  text: string,
): { ok: true; record: AccountRecord } | { ok: false; sentence: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, sentence: 'it is not JSON' };
  }
  const wrong = wrongField(name, value);
  if (wrong !== undefined) return { ok: false, sentence: `its ${wrong} is not as expected` };
  // wrongField has looked at every field of the type.
  return { ok: true, record: value as AccountRecord };
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isHash: Check = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shapeOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    firstWrong(fields, value) === undefined;

const tokenFields = {
  id: isText,
  name: isText,
  hash: isHash,
  readOnly: isFlag,
  createdAt: isTime,
  expiresAt: optional(isTime),
};
const keyFields = {
  id: isText,
  title: isText,
  type: isText,
  blob: isText,
  fingerprint: isText,
  createdAt: isTime,
};
const accountFields = {
  operator: isFlag,
  disabled: isFlag,
  groups: listOf(isText),
  createdAt: isTime,
  passwordHash: optional(isText),
  tokens: listOf(shapeOf(tokenFields)),
  keys: listOf(shapeOf(keyFields)),
};

function wrongField(name: string, value: unknown): string | undefined {
  const fixed = {
    format: (found: unknown) => found === 1,
    name: (found: unknown) => found === name,
  };
  return firstWrong({ ...fixed, ...accountFields }, value);
}

function firstWrong(fields: Readonly<Record<string, Check>>, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'content';
  const found = value as Readonly<Record<string, unknown>>;
  return Object.keys(fields).find((field) => fields[field]?.(found[field]) !== true);
}
