// Passwords, by scrypt. The encoding carries its own cost, so that the cost can grow while old ones still verify:
// `$scrypt$ln=15,r=8,p=1$<salt>$<hash>` (base64url). Used by authenticate.ts and by entity when one is set.

import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import type { Context } from '#kernel/context.ts';
import type { PasswordSlots } from '#access/password-slots.ts';
import { isTokenShaped } from '#access/token.ts';

const cost = { ln: 15, r: 8, p: 1 } as const;
/** What a stored encoding may ask for at most, so that a bad file cannot take all memory. */
const maxLn = 18;
const hashBytes = 32;
const minChars = 8;
const maxBytes = 1024;

/** Verified for accounts that do not exist, so that they take as long as those that do. Matches no password. */
export const dummyPasswordHash = encode(Buffer.alloc(16), Buffer.alloc(hashBytes));

/** Why this cannot be a password, as a sentence; undefined when it can. */
export function passwordProblem(password: string): string | undefined {
  if (Array.from(password).length < minChars)
    return `a password has at least ${minChars} characters`;
  if (Buffer.byteLength(password) > maxBytes) return `a password has at most ${maxBytes} bytes`;
  // eslint-disable-next-line no-control-regex -- exactly these cannot be sent in a Basic header.
  if (/[\u0000-\u001f\u007f]/.test(password)) return 'a password has no control characters';
  if (isTokenShaped(password)) return 'a password must not look like a token';
  return undefined;
}

/** The encoded hash under a fresh salt. */
export function hashPassword(
  ctx: Context,
  slots: PasswordSlots,
  password: string,
): Promise<string> {
  const salt = randomBytes(16);
  return slots.run(ctx, async () => encode(salt, await derive(password, salt, cost)));
}

/** True when the password is the one that was encoded; false for an encoding it cannot read. */
export async function verifyPassword(
  ctx: Context,
  slots: PasswordSlots,
  password: string,
  encoded: string,
): Promise<boolean> {
  const parts = decode(encoded);
  if (parts === undefined || Buffer.byteLength(password) > maxBytes) return false;
  const actual = await slots.run(ctx, () => derive(password, parts.salt, parts));
  return timingSafeEqual(actual, parts.hash);
}

type Cost = { readonly ln: number; readonly r: number; readonly p: number };

function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** ln;
  const options: ScryptOptions = { N, r, p, maxmem: 128 * N * r * 2 };
  return new Promise((resolve, reject) => {
    // Normalised: the same password typed on another keyboard may arrive composed differently.
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

function encode(salt: Buffer, hash: Buffer): string {
  const { ln, r, p } = cost;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

function decode(encoded: string): (Cost & { salt: Buffer; hash: Buffer }) | undefined {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([\w-]{16,64})\$([\w-]{43})$/.exec(
    encoded,
  );
  if (match === null) return undefined;
  const [, ln = '', r = '', p = '', salt = '', hash = ''] = match;
  const read = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (read.ln < 10 || read.ln > maxLn || read.r < 1 || read.r > 16 || read.p < 1) return undefined;
  return { ...read, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}
