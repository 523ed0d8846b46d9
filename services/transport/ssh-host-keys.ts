// The keys this server proves itself with: made at the first start, kept for ever (a changed key looks like an attack
// to everyone who has connected before). Called by entry, beside the rest of the start: RSA takes a moment.

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { writePrivateFile } from '#kernel/durable-file.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import { orIfAbsent } from '#kernel/or-if-absent.ts';

const types = ['ed25519', 'ecdsa', 'rsa'] as const;
type HostKeyType = (typeof types)[number];

/** Private keys in OpenSSH's format, the preferred one first. */
export type HostKeys = readonly string[];

/**
 * Reads `ssh/host_<type>_key` in the data directory, and makes those that are missing.
 * @throws DATA_DIR_UNUSABLE for a file that is no private key: it is never replaced.
 */
export async function loadHostKeys(dataDir: string): Promise<HostKeys> {
  const folder = join(dataDir, 'ssh');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return Promise.all(types.map((type) => loadHostKey(folder, type)));
}

async function loadHostKey(folder: string, type: HostKeyType): Promise<string> {
  const path = join(folder, `host_${type}_key`);
  const known = await orIfAbsent(readFile(path, 'utf8'), undefined);
  if (known === undefined) {
    const made = await makeKey(type);
    await writePrivateFile(path, made);
    return made;
  }
  const parsed = ssh2.utils.parseKey(known);
  if (parsed instanceof Error || !parsed.isPrivateKey()) {
    const sentence = `${path} is no private key; put the right one back, or remove it to get a new one (clients will warn)`;
    throw new ForgeError('DATA_DIR_UNUSABLE', { sentence });
  }
  return known;
}

/** On the thread pool: the start goes on meanwhile. */
function makeKey(type: HostKeyType): Promise<string> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null, pair: { readonly private: string }) => {
      if (error === null) resolve(pair.private);
      else reject(error);
    };
    switch (type) {
      case 'ed25519':
        ssh2.utils.generateKeyPair('ed25519', {}, settle);
        break;
      case 'ecdsa':
        ssh2.utils.generateKeyPair('ecdsa', { bits: 256 }, settle);
        break;
      case 'rsa':
      default:
        ssh2.utils.generateKeyPair('rsa', { bits: 3072 }, settle);
    }
  });
}

/** The key is on disk before anyone sees it, whole or not at all. */
