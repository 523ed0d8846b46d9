// Where repositories lie in the data directory, and what their own config file says about their formats.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '#kernel/forge-error.ts';
import type { ObjectFormat } from '#model/oid.ts';
import type { RefFormat } from '#model/repository-state.ts';

/** @param id `namespace/name`, both Kubernetes names, so no path trick fits in. */
export function repositoryDirectory(dataDir: string, id: string): string {
  return join(dataDir, 'repositories', `${id}.git`);
}

/** Unfinished creations and imports; swept at start. On the volume of the repositories, so that a rename suffices. */
export function scratchDirectory(dataDir: string): string {
  return join(dataDir, 'tmp');
}

export type RepositoryFormats = {
  readonly objectFormat: ObjectFormat;
  readonly refFormat: RefFormat;
};

/** Reads the formats without a process; undefined when there is no repository. */
export async function readFormats(gitDir: string): Promise<RepositoryFormats | undefined> {
  let config: string;
  try {
    config = await readFile(join(gitDir, 'config'), 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  return {
    objectFormat: /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 'sha256' : 'sha1',
    refFormat: /^\s*refstorage\s*=\s*reftable\s*$/im.test(config) ? 'reftable' : 'files',
  };
}

/** True when history is cut off in the repository itself: every answer to a client must say where. */
export function isShallow(gitDir: string): boolean {
  return existsSync(join(gitDir, 'shallow'));
}
