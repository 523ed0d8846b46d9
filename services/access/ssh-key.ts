// OpenSSH public keys: one line of authorized_keys or id_*.pub → type, blob, comment, fingerprint. Pure.
// entity stores what this accepts; authenticate.ts finds keys by the same fingerprint.

import { createHash, createPublicKey } from 'node:crypto';

export type SshKey = {
  readonly type: string;
  readonly blob: Buffer;
  readonly comment: string;
  readonly fingerprint: string;
};

export type ParsedSshKey =
  | { readonly kind: 'key'; readonly key: SshKey }
  | { readonly kind: 'bad'; readonly sentence: string };

const maxLineChars = 16_384;
const minRsaBits = 2048;
const maxRsaBits = 16_384;
const curves: Readonly<Record<string, { name: string; pointBytes: number }>> = {
  'ecdsa-sha2-nistp256': { name: 'nistp256', pointBytes: 65 },
  'ecdsa-sha2-nistp384': { name: 'nistp384', pointBytes: 97 },
  'ecdsa-sha2-nistp521': { name: 'nistp521', pointBytes: 133 },
};
const accepted = 'ssh-ed25519, ecdsa-sha2-nistp256, -nistp384, -nistp521 and ssh-rsa';

/** `SHA256:…` as ssh-keygen -l prints it. */
export function fingerprintOf(blob: Uint8Array): string {
  const digest = createHash('sha256').update(blob).digest('base64');
  return `SHA256:${digest.replaceAll('=', '')}`;
}

/** Reads one line without options; the sentence of a bad one is for the person who pasted it. */
export function parseSshKey(text: string): ParsedSshKey {
  const line = text.trim();
  const problem = lineProblem(line);
  if (problem !== undefined) return { kind: 'bad', sentence: problem };
  const [type = '', encoded = '', ...words] = line.split(/[ \t]+/);
  const blob = Buffer.from(encoded, 'base64');
  if (blob.toString('base64') !== encoded) {
    return {
      kind: 'bad',
      sentence: 'The second word of the key is not valid base64; it may be cut off.',
    };
  }
  const blobTrouble = blobProblem(type, blob);
  if (blobTrouble !== undefined) return { kind: 'bad', sentence: blobTrouble };
  const comment = words.join(' ').slice(0, 200);
  return { kind: 'key', key: { type, blob, comment, fingerprint: fingerprintOf(blob) } };
}

function lineProblem(line: string): string | undefined {
  if (line === '') return 'The key is empty.';
  if (line.length > maxLineChars) return 'This is too long for a public key.';
  if (line.includes('PRIVATE KEY')) {
    return 'This is a private key: never give it away. Send the line of the .pub file instead.';
  }
  if (/[\r\n]/.test(line)) return 'One key is one line; this has several.';
  // eslint-disable-next-line no-control-regex -- a comment with these would break listings.
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line))
    return 'The key has control characters in it.';
  const [type = ''] = line.split(/[ \t]/);
  if (type === 'ssh-dss')
    return 'DSA keys are not accepted: they are too weak. Make an ed25519 key.';
  if (type.startsWith('sk-')) {
    return `Security keys (${type}) are not supported yet. These are: ${accepted}.`;
  }
  if (type === 'ssh-ed25519' || type === 'ssh-rsa' || type in curves) return undefined;
  return `A public key starts with its type. These are accepted: ${accepted}.`;
}

function blobProblem(type: string, blob: Buffer): string | undefined {
  const fields = readFields(blob);
  if (fields === undefined)
    return 'The key is damaged: its parts do not add up. It may be cut off.';
  if (fields[0]?.toString('latin1') !== type)
    return 'The key is of another type than its first word says.';
  if (type === 'ssh-ed25519') {
    return fields.length === 2 && fields[1]?.length === 32
      ? undefined
      : 'The ed25519 key is damaged.';
  }
  return type === 'ssh-rsa' ? rsaProblem(fields) : ecdsaProblem(type, fields);
}

function ecdsaProblem(type: string, fields: readonly Buffer[]): string | undefined {
  const curve = curves[type];
  const [, name, point] = fields;
  const fits =
    fields.length === 3 &&
    name?.toString('latin1') === curve?.name &&
    point?.length === curve?.pointBytes &&
    point?.[0] === 4;
  return fits && isOnCurve(curve?.name, point) ? undefined : 'The ecdsa key is damaged.';
}

/** OpenSSL refuses a point that is not on its curve. */
function isOnCurve(name: string | undefined, point: Buffer | undefined): boolean {
  if (name === undefined || point === undefined) return false;
  const half = (point.length - 1) / 2;
  const coordinate = (from: number) => point.subarray(from, from + half).toString('base64url');
  const crv = name.replace('nistp', 'P-');
  try {
    createPublicKey({
      key: { kty: 'EC', crv, x: coordinate(1), y: coordinate(1 + half) },
      format: 'jwk',
    });
    return true;
  } catch {
    return false;
  }
}

function rsaProblem(fields: readonly Buffer[]): string | undefined {
  const [, exponent, modulus] = fields;
  if (fields.length !== 3 || exponent === undefined || modulus === undefined) {
    return 'The RSA key is damaged.';
  }
  // An even exponent or modulus is no RSA key; a negative number (first bit set) no number of this encoding.
  const isOdd = (number: Buffer) =>
    ((number.at(-1) ?? 0) & 1) === 1 && ((number[0] ?? 0) & 0x80) === 0;
  if (!isOdd(exponent) || !isOdd(modulus) || exponent.length > 8) return 'The RSA key is damaged.';
  const bits = BigInt(`0x${modulus.toString('hex')}`).toString(2).length;
  if (bits < minRsaBits) return `The RSA key has ${bits} bits; ${minRsaBits} are the least.`;
  return bits > maxRsaBits
    ? `The RSA key has ${bits} bits; ${maxRsaBits} are the most.`
    : undefined;
}

/** The length-prefixed strings of the blob; undefined when they do not fill it exactly. */
function readFields(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let at = 0;
  while (at + 4 <= blob.length) {
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return at === blob.length && fields.length > 0 ? fields : undefined;
}
