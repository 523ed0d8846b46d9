// SSH keys of a test, made by the real ssh-keygen, and the ssh command that uses one and nothing else.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type SshKey = {
  readonly privateFile: string;
  /** What a person pastes: type, base64, comment. */
  readonly publicLine: string;
  /** For git: `GIT_SSH_COMMAND`. */
  readonly command: string;
};

/** @param folder where the two files go; it must outlive the key's use. */
export async function createSshKey(
  folder: string,
  type: 'ed25519' | 'ecdsa' | 'rsa' = 'ed25519',
  name = `id_${type}`,
): Promise<SshKey> {
  const privateFile = join(folder, name);
  const bits = type === 'rsa' ? ['-b', '2048'] : [];
  const args = [
    '-q',
    '-t',
    type,
    ...bits,
    '-N',
    '',
    '-C',
    `${name}@example.test`,
    '-f',
    privateFile,
  ];
  await promisify(execFile)('ssh-keygen', args);
  const publicLine = (await readFile(`${privateFile}.pub`, 'utf8')).trim();
  return { privateFile, publicLine, command: buildSshCommand(privateFile) };
}

/** Offers the one key only, asks nothing, remembers no host. */
export function buildSshCommand(privateFile: string): string {
  const options = ['IdentitiesOnly=yes', 'BatchMode=yes', 'StrictHostKeyChecking=no'];
  const files = [
    'UserKnownHostsFile=/dev/null',
    'GlobalKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
  ];
  const flags = [...options, ...files].map((option) => `-o ${option}`).join(' ');
  return `ssh -F /dev/null -i '${privateFile}' ${flags}`;
}
