// Which refs a listing shows and a push may touch (DESIGN, "In Git"). Pure.
// Hidden is not protected: protocol v2 serves objects by id, so nothing secret lives behind these.

const internal = 'refs/warren/';
const mirrored = ['refs/warren/s/', 'refs/warren/seq', 'refs/warren/cfg', 'refs/warren/keep/'];

/** True when a listing with these ref-prefixes shows the ref. */
export function isListed(refName: string, prefixes: readonly string[]): boolean {
  if (!refName.startsWith(internal)) return true;
  if (!mirrored.some((open) => (open.endsWith('/') ? refName.startsWith(open) : refName === open)))
    return false;
  return prefixes.some((prefix) => prefix === 'refs/' || prefix.startsWith(internal));
}

export function isInternalRef(refName: string): boolean {
  return refName === 'refs/warren' || refName.startsWith(internal);
}
