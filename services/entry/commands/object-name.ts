// `namespace/name` as people type it; a name alone is in the namespace "default". Pure.

export type ObjectName =
  | { readonly kind: 'named'; readonly id: string }
  | { readonly kind: 'wrong'; readonly sentence: string };

const label = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

export function readObjectName(text: string): ObjectName {
  const parts = text.includes('/') ? text.split('/') : ['default', text];
  const [namespace = '', name = ''] = parts;
  if (parts.length === 2 && label.test(namespace) && label.test(name)) {
    return { kind: 'named', id: `${namespace}/${name}` };
  }
  const sentence = `"${text}" is no name: it is namespace/name in lower-case letters, digits, "-" and ".".`;
  return { kind: 'wrong', sentence };
}
