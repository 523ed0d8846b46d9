// The environment of every child: an allow-list, never a copy of ours. Called by start-child only through its callers.

export type ChildEnvironment = Readonly<Record<string, string>>;

const inherited = ['PATH', 'HOME', 'TMPDIR', 'GIT_EXEC_PATH', 'LD_LIBRARY_PATH', 'SSL_CERT_FILE'];

/**
 * PATH, HOME and the few names a program needs to run at all, plus `extra`.
 * `LC_ALL=C` keeps messages stable; nothing is ever decided by them.
 */
export function buildChildEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>> = {},
): ChildEnvironment {
  const environment: Record<string, string> = { LC_ALL: 'C' };
  for (const name of inherited) {
    const value = parent[name];
    if (value !== undefined) environment[name] = value;
  }
  environment['HOME'] ??= '/nonexistent';
  return { ...environment, ...extra };
}
