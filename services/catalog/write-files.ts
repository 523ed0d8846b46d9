// Writes files of a folder so that a reader sees each old or new, never half: temporary file, fsync, rename.
// The only writer of the catalog directory.

import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncDirectory, writeSynced } from '#kernel/durable-file.ts';
import { errnoOf, ForgeError, messageOf } from '#kernel/forge-error.ts';

type Staged = { readonly temporary: string; readonly target: string };

/**
 * @param texts by file name inside the directory, which is made if need be.
 * @throws CATALOG_UNWRITABLE; then no file was renamed, unless the renaming itself failed midway.
 */
export async function writeFiles(
  directory: string,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  if (texts.size === 0) return;
  const staged: Staged[] = [];
  try {
    await mkdir(directory, { recursive: true });
    for (const [name, text] of texts) staged.push(await stage(join(directory, name), text));
    for (const { temporary, target } of staged) await rename(temporary, target);
    for (const folder of new Set(staged.map(({ target }) => dirname(target))))
      await syncDirectory(folder);
  } catch (cause) {
    await Promise.all(staged.map(({ temporary }) => rm(temporary, { force: true })));
    throw new ForgeError(
      'CATALOG_UNWRITABLE',
      { directory, sentence: messageOf(cause) },
      { cause },
    );
  }
}

async function stage(path: string, text: string): Promise<Staged> {
  // A link stays a link: what it points to is replaced.
  const target = await realpath(path).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return path;
    throw error;
  });
  // Hidden and without a manifest's ending, so that no catalog reads it.
  const temporary = join(
    dirname(target),
    `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`,
  );
  await writeSynced(temporary, text);
  return { temporary, target };
}
