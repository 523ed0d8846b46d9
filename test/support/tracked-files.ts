// The files git tracks in this checkout, for contract tests.

import { execFileSync } from 'node:child_process';

/** Paths from `root`, which may belong to another user than the one who runs the tests. */
export function listTrackedFiles(root: string): string[] {
  const args = ['-c', 'safe.directory=*', 'ls-files', '-z'];
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return output.split('\0').filter((file) => file !== '');
}
