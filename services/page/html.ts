// HTML with every value escaped: the only way pages build markup.

export type Html = { readonly html: string };

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

type Value = string | number | Html | readonly Html[] | undefined;

/** Template tag: strings are escaped, Html and lists of it go in as they are, undefined is nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = strings.map((text, at) => text + render(values[at]));
  return { html: parts.join('') };
}

function render(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escape(value);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map((item) => item.html).join('');
}
