// Lists: `limit` and `cursor` in, `{items, next}` out. A cursor is the key of the last item shown, so that items that come
// and go meanwhile make no item show twice. Pure.

export type Page = { readonly limit: number; readonly after: string | undefined };

export const defaultPageItems = 50;
export const maxPageItems = 100;

export type ReadPage = { readonly ok: true; readonly page: Page } | { ok: false; sentence: string };

/** Reads the query of a list; other parameters are refused, since a misspelt one would change the answer silently. */
export function readPage(query: URLSearchParams, isList: boolean): ReadPage {
  const known = isList ? ['limit', 'cursor'] : [];
  const names = [...query.keys()];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return refuse(`This address takes no parameter "${unknown}".`);
  if (new Set(names).size < names.length) return refuse('A parameter is given twice.');
  const limit = query.get('limit') ?? String(defaultPageItems);
  const items = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (items < 1 || items > maxPageItems) {
    return refuse(`"limit" is a whole number from 1 to ${maxPageItems}.`);
  }
  const cursor = query.get('cursor');
  if (cursor === null) return { ok: true, page: { limit: items, after: undefined } };
  const after = Buffer.from(cursor, 'base64url').toString('utf8');
  if (after === '' || encodeCursor(after) !== cursor) {
    return refuse('"cursor" is not one that this server gave out.');
  }
  return { ok: true, page: { limit: items, after } };
}

function refuse(sentence: string): ReadPage {
  return { ok: false, sentence };
}

/**
 * @param sorted by `keyOf`, which differs for each item; read only as far as the page needs.
 * @param isShown items for which it is false are passed over.
 */
export function takePage<T>(
  sorted: Iterable<T>,
  { limit, after }: Page,
  keyOf: (item: T) => string,
  isShown: (item: T) => boolean = () => true,
): { items: T[]; next: string | null } {
  const items: T[] = [];
  for (const item of sorted) {
    if ((after !== undefined && keyOf(item) <= after) || !isShown(item)) continue;
    const last = items.at(-1);
    if (items.length === limit && last !== undefined) {
      return { items, next: encodeCursor(keyOf(last)) };
    }
    items.push(item);
  }
  return { items, next: null };
}

function encodeCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}
