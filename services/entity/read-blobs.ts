// Reads the answer of `git cat-file --batch`: `<oid> <type> <size>\n<bytes>\n` for each object. Pure.

/** Blob texts by object id; objects that are missing are not in it. */
export function readBlobs(answer: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let at = 0;
  while (at < answer.length) {
    const lineEnd = answer.indexOf(0x0a, at);
    if (lineEnd < 0) break;
    const [oid = '', type = '', size = ''] = answer.toString('latin1', at, lineEnd).split(' ');
    at = lineEnd + 1;
    if (type === 'missing') continue;
    const end = at + Number(size);
    if (type === 'blob') texts.set(oid, answer.toString('utf8', at, end));
    at = end + 1;
  }
  return texts;
}
