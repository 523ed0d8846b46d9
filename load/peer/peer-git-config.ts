// The settings the peer's git runs with: the very ones Warren forces on every git call, so that a difference
// between the two is the server's and not git's.

import { availableParallelism } from 'node:os';
import { forcedOptions } from '#git/forced-config.ts';

/** The text of a git configuration file. */
export function buildPeerGitConfig(cpus: number = availableParallelism()): string {
  const options = [...forcedOptions(cpus), ['http.receivepack', 'true'] as const];
  return options.map(([key, value]) => formatOption(key, value)).join('');
}

/** `a.b.c` is variable c in section a, subsection b. */
function formatOption(key: string, value: string): string {
  const [section, ...rest] = key.split('.');
  const variable = rest.pop();
  const header = rest.length === 0 ? `[${section}]` : `[${section} "${rest.join('.')}"]`;
  return `${header}\n\t${variable} = ${JSON.stringify(value)}\n`;
}
