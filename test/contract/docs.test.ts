import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderConfig, renderErrors, renderLimits } from '../../scripts/render-tables.ts';

const root = new URL('../../', import.meta.url);

test.each([
  ['docs/config.md', renderConfig],
  ['docs/limits.md', renderLimits],
  ['docs/errors.md', renderErrors],
])('%s says what the code says: otherwise run npm run gen', (path, render) => {
  expect(readFileSync(new URL(path, root), 'utf8')).toBe(render());
});

test('every relative link in the documentation leads to a file', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/limits.md'];
  const broken = pages.flatMap((page) => {
    const text = readFileSync(new URL(page, root), 'utf8');
    return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target = '']) => new URL(target, new URL(page, root)))
      .filter((url) => !exists(url))
      .map((url) => `${page}: ${url.pathname}`);
  });
  expect(broken).toEqual([]);
});

function exists(url: URL): boolean {
  try {
    readFileSync(url);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EISDIR';
  }
}
