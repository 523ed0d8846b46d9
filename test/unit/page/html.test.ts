// What people wrote never becomes markup.

import { expect, test } from 'vitest';
import { html } from '#page/html.ts';
import { renderFrame } from '#page/frame.ts';

test('text is escaped wherever it stands', () => {
  const evil = `<script>alert("x")</script>&'`;
  const page = renderFrame(evil, html`<p title="${evil}">${evil}</p>`);
  expect(page).not.toContain('<script>alert');
  expect(page).not.toMatch(/title="[^"]*"x"/);
  expect(page).toContain('&lt;script&gt;');
});

test('markup of our own is kept, also in lists, and nothing is nothing', () => {
  const items = ['a', 'b'].map((name) => html`<li>${name}</li>`);
  expect(
    renderFrame(
      't',
      html`<ul>
          ${items}
        </ul>
        ${undefined}`,
    ),
  ).toContain('<li>a</li>');
});
