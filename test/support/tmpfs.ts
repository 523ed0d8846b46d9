// A small file system of its own, for tests of full and read-only volumes. Only root may mount: others skip.

import { spawnSync } from 'node:child_process';

export const canMount = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;

export type Mounted = Disposable & { remount(options: string): void };

/** Mounts a tmpfs at the folder. @throws when the kernel does not allow it. */
export function mountTmpfs(path: string, size: string): Mounted {
  run('mount', '-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', path);
  return {
    remount: (options) => run('mount', '-o', `remount,${options}`, path),
    [Symbol.dispose]: () => run('umount', '-l', path),
  };
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args);
  if (status !== 0) throw new Error(`${program}: ${stderr.toString()}`);
}
