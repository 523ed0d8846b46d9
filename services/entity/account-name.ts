// Which names accounts and groups may have. Pure; asked when one is made, not when one is read.

/** Names that would be taken for something else: the program, everyone, or a word of git tools' Basic headers. */
const reservedNames: ReadonlySet<string> = new Set([
  'anonymous',
  'everyone',
  'ghost',
  'git',
  'me',
  'nobody',
  'oauth2',
  'operator',
  'root',
  'self',
  'system',
  'user',
  'warren',
  'x-access-token',
  'x-oauth-basic',
]);

/** Why this cannot be an account's name, as a sentence; undefined when it can. */
export function accountNameProblem(name: string): string | undefined {
  if (!/^[a-z0-9][a-z0-9-]{0,38}$/.test(name)) {
    return 'An account name is 1 to 39 lower-case letters, digits and "-", starting with a letter or digit.';
  }
  return reservedNames.has(name) ? `The name "${name}" is reserved.` : undefined;
}

/** Groups come from other systems too, so their names may hold more. */
export function groupNameProblem(name: string): string | undefined {
  if (/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/.test(name)) return undefined;
  return 'A group name is 1 to 100 letters, digits and ". _ : / -", starting with a letter or digit.';
}
