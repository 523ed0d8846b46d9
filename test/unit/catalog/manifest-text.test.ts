import { expect, test } from 'vitest';
import { appendDocument, documentText, replaceDocument } from '#catalog/manifest-text.ts';

const three = '# first\na: 1\n---\n# second\nb: |\n  --- no marker\n---\nc: 3\n';
const at = (text: string) => three.indexOf(text);

test('takes one document out of a file with the comments around it', () => {
  expect(documentText(three, at('a: 1'))).toBe('# first\na: 1');
  expect(documentText(three, at('b: |'))).toBe('# second\nb: |\n  --- no marker');
  expect(documentText(three, at('c: 3'))).toBe('c: 3');
  expect(documentText('\uFEFF\n\na: 1\n\n', 4)).toBe('a: 1');
});

test('replaces one document and leaves every other byte', () => {
  expect(replaceDocument(three, at('b: |'), 'b: 2')).toBe('# first\na: 1\n---\nb: 2\n---\nc: 3\n');
  expect(replaceDocument(three, at('a: 1'), 'x: 1')).toBe(
    `x: 1\n${three.slice(three.indexOf('---'))}`,
  );
  expect(replaceDocument(three, at('c: 3'), 'x: 1')).toBe(`${three.slice(0, at('c: 3'))}x: 1\n`);
});

test('replaces a document that stands on the line of its marker', () => {
  expect(replaceDocument('--- {a: 1}\n--- {b: 2}\n', 15, 'c: 3')).toBe('--- {a: 1}\n---\nc: 3\n');
});

test('appends a document, also to nothing', () => {
  expect(appendDocument('', 'a: 1')).toBe('a: 1\n');
  expect(appendDocument('a: 1', 'b: 2')).toBe('a: 1\n---\nb: 2\n');
  expect(appendDocument('a: 1\n...\n\n', 'b: 2')).toBe('a: 1\n...\n---\nb: 2\n');
});
