// The frame every page has, with its style. No script; readable in light and dark, narrow and wide.

import { type Html, html } from '#page/html.ts';

const style: Html = {
  html: `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: .5rem; }
header a { font-weight: 600; text-decoration: none; color: inherit; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
ul.list { list-style: none; padding: 0; }
ul.list li { border-bottom: 1px solid var(--line); padding: .6rem 0; }
pre { border: 1px solid var(--line); border-radius: 4px; padding: .75rem; overflow-x: auto; }
.note { opacity: .8; }
table { border-collapse: collapse; } td, th { text-align: start; padding: .25rem 1rem .25rem 0; }
`,
};

/** A whole document. */
export function renderFrame(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Warren</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <header><a href="/">Warren</a></header>
        <main>${content}</main>
      </body>
    </html> `.html;
}
