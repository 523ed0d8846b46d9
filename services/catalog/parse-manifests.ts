// Text of one file → its documents, each with a way from a field to its line. Pure; first step of the catalog.
// JSON is read by the same parser, because it is YAML.

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import type { Document } from 'yaml';
import { messageOf } from '#kernel/forge-error.ts';
import type { CatalogProblem } from '#catalog/catalog.ts';
import type { FieldPath } from '#catalog/field-problem.ts';

export type ManifestDocument = {
  readonly file: string;
  readonly value: unknown;
  /** The line its first field is on. */
  readonly line: number;
  /** Where its content starts in the text. */
  readonly offset: number;
  /** The line of a field, or of what comes nearest above it when it is not there. */
  lineOf(path: FieldPath): number;
};

export type ParsedManifests =
  | { readonly kind: 'parsed'; readonly documents: readonly ManifestDocument[] }
  | { readonly kind: 'unparsable'; readonly problems: readonly CatalogProblem[] };

/** The documents of a file; all or none, since after a syntax error the rest cannot be trusted. */
export function parseManifests(file: string, text: string): ParsedManifests {
  const lines = new LineCounter();
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  try {
    const documents = [...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false })];
    const problems = documents
      .flatMap((document) => document.errors)
      .map(({ message, pos }) => ({
        file,
        line: lineAt(pos[0]),
        sentence: `this is not valid YAML: ${message}`,
      }));
    if (problems.length > 0) return { kind: 'unparsable', problems: problems.slice(0, 10) };
    return {
      kind: 'parsed',
      documents: documents
        .filter((document) => !isEmpty(document))
        .map((document) => readDocument(file, document, lineAt)),
    };
  } catch (error) {
    // Too many aliases, or nested too deeply for the parser.
    const sentence = `this YAML cannot be read: ${messageOf(error)}`;
    return { kind: 'unparsable', problems: [{ file, line: 1, sentence }] };
  }
}

function isEmpty({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

function readDocument(
  file: string,
  document: Document,
  lineAt: (offset: number) => number,
): ManifestDocument {
  const offset = document.contents?.range?.[0] ?? 0;
  const line = lineAt(offset);
  // Lines are collected now, so that no tree of the parser is kept in memory with them.
  const lines = new Map<string, number>();
  collectLines(document.contents, [], (path, at) => lines.set(path.join('\n'), lineAt(at)));
  return {
    file,
    value: document.toJS({ maxAliasCount: 100 }) as unknown,
    line,
    offset,
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const found = lines.get(path.slice(0, length).join('\n'));
        if (found !== undefined) return found;
      }
      return line;
    },
  };
}

/** What an alias stands for is elsewhere; the line of the alias itself is what the person must change. */
function collectLines(
  node: unknown,
  path: FieldPath,
  found: (path: FieldPath, offset: number) => void,
): void {
  const children: readonly (readonly [FieldPath, unknown, unknown])[] = isMap(node)
    ? node.items.map(({ key, value }) => [[...path, keyName(key)], key, value])
    : isSeq(node)
      ? node.items.map((item, at) => [[...path, at], item, item])
      : [];
  for (const [childPath, at, value] of children) {
    const offset = rangeStart(at);
    if (offset !== undefined) found(childPath, offset);
    collectLines(value, childPath, found);
  }
}

function keyName(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

function rangeStart(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)
    ? node.range?.[0]
    : undefined;
}
