// Which ref names a push may create: git's own rules (git-check-ref-format), and none that would confuse people.

const maxRefBytes = 1024;

const rules: readonly (readonly [isBroken: (name: string) => boolean, sentence: string])[] = [
  [(name) => Buffer.byteLength(name) > maxRefBytes, 'a ref name has at most 1,024 bytes'],
  [(name) => !name.startsWith('refs/'), 'a ref name starts with refs/'],
  [(name) => name.split('/').length < 3, 'a ref lies in a folder, such as refs/heads/'],
  [
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    (name) => /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(name),
    'a ref name has no spaces, control characters, "..", "@{" or any of ~^:?*[\\',
  ],
  [(name) => name.includes('\ufffd'), 'a ref name is valid UTF-8'],
  [
    (name) => name.split('/').some((part) => /^$|^\.|\.lock$/.test(part)),
    'no part of a ref name is empty, starts with "." or ends in ".lock"',
  ],
  [(name) => name.endsWith('.'), 'a ref name does not end with a dot'],
  // These are taken for something else by most commands.
  [(name) => name === 'refs/heads/HEAD', 'a branch may not be named HEAD'],
  [
    (name) => /^refs\/(heads|tags)\/[0-9a-f]{40}([0-9a-f]{24})?$/.test(name),
    'a branch or tag may not be named like an object id',
  ],
];

/** Why the name is refused, as a sentence; undefined when it is fine. */
export function refNameProblem(refName: string): string | undefined {
  return rules.find(([isBroken]) => isBroken(refName))?.[1];
}
