// Object ids of both formats. Branded, so that no other string is passed for one.

export type Oid = string & { readonly __brand: 'Oid' };
export type ObjectFormat = 'sha1' | 'sha256';

const hexLength = { sha1: 40, sha256: 64 } as const;

export function isOid(text: string, format?: ObjectFormat): text is Oid {
  if (!/^[0-9a-f]+$/.test(text)) return false;
  if (format !== undefined) return text.length === hexLength[format];
  return text.length === 40 || text.length === 64;
}

/** The all-zero id, which stands for "no object" in ref updates. */
export function zeroOid(format: ObjectFormat): Oid {
  return '0'.repeat(hexLength[format]) as Oid;
}

export function isZeroOid(oid: string): boolean {
  return /^0+$/.test(oid);
}
