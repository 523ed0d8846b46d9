// The one exception class. Thrown for surprises only; expected outcomes are unions.
// Compare `code`, never the text or instanceof: the brand survives bundles and realms.

import { errorCatalogue, type ErrorCode, type ErrorEntry } from '#kernel/error-catalogue.ts';

const brand = Symbol.for('warren.ForgeError');

export type ErrorDetails = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export class ForgeError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  /** @param details values of this occurrence; `sentence` adds to the catalogue's message for people. */
  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    const { sentence } = details;
    const fact = errorCatalogue[code].message;
    super(typeof sentence === 'string' ? `${fact}: ${sentence}` : fact, options);
    this.name = 'ForgeError';
    this.code = code;
    this.details = details;
    Object.defineProperty(this, brand, { value: true });
  }

  get entry(): ErrorEntry {
    return errorCatalogue[this.code];
  }
}

/** True for a ForgeError, of the given code when one is given. */
export function isForgeError(error: unknown, code?: ErrorCode): error is ForgeError {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false;
  return code === undefined || ('code' in error && error.code === code);
}

/** The errno code ('ENOENT') of a Node system error, else undefined. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The text of whatever was thrown, for logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
