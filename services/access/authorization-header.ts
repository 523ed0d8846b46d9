// Reads an Authorization header into a credential. Pure; authenticate.ts decides whether it is a right one.
// git and curl put a token where a password goes, some tools where the user name goes: all are understood.

import { isTokenShaped } from '#access/token.ts';

export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly name: string; readonly password: string };

const maxHeaderChars = 4096;
const malformed: Credential = { kind: 'malformed' };

/** A header that is there but says nothing usable is malformed, never anonymous. */
export function readAuthorization(header: string | undefined): Credential {
  if (header === undefined) return { kind: 'none' };
  if (header.length > maxHeaderChars) return malformed;
  const match = /^(bearer|basic) +([\x21-\x7e]+) *$/i.exec(header);
  if (match === null) return malformed;
  const [, scheme = '', value = ''] = match;
  if (scheme.toLowerCase() === 'basic') return readBasic(value);
  return isTokenShaped(value) ? { kind: 'token', token: value } : malformed;
}

function readBasic(value: string): Credential {
  const pair = decodeBase64(value);
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 0) return malformed;
  const name = pair.slice(0, colon);
  const password = pair.slice(colon + 1);
  if (isTokenShaped(password)) return { kind: 'token', token: password };
  if (isTokenShaped(name) && (password === '' || password === 'x-oauth-basic')) {
    return { kind: 'token', token: name };
  }
  return name === '' || password === '' ? malformed : { kind: 'password', name, password };
}

/** Strict: Buffer.from takes anything, so the text must be what its bytes encode to, and the bytes UTF-8. */
function decodeBase64(value: string): string | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return undefined;
  const bytes = Buffer.from(value, 'base64');
  if (bytes.toString('base64').replaceAll('=', '') !== value.replaceAll('=', '')) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
