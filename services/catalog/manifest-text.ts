// Edits of a file of several documents that leave every other byte as the person wrote it. Pure; used by apply.
// A line that starts with `---` or `...` ends a document wherever it stands: YAML allows it nowhere else.

type Section = { readonly start: number; readonly end: number };

/** The document that holds `offset`, comments around it included, without blank lines at its ends. */
export function documentText(text: string, offset: number): string {
  const { start, end } = sectionOf(text, offset);
  return text
    .slice(start, end)
    .replace(/^\uFEFF/, '')
    .replace(/^([ \t]*\r?\n)+/, '')
    .trimEnd();
}

/** The text with the document that holds `offset` replaced. */
export function replaceDocument(text: string, offset: number, replacement: string): string {
  const { start, end } = sectionOf(text, offset);
  const before = text.slice(0, start);
  const isFresh = before === '' || before.endsWith('\n');
  return `${before}${isFresh ? '' : '\n'}${replacement}\n${text.slice(end)}`;
}

/** The text with one more document at its end. */
export function appendDocument(text: string, addition: string): string {
  return text.trim() === '' ? `${addition}\n` : `${text.trimEnd()}\n---\n${addition}\n`;
}

function sectionOf(text: string, offset: number): Section {
  let start = 0;
  for (const marker of text.matchAll(/^(---|\.\.\.)(?=\s|$)/gm)) {
    if (marker.index > offset) return { start, end: marker.index };
    start = marker.index + marker[0].length;
  }
  return { start, end: text.length };
}
