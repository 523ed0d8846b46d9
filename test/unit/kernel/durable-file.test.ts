import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writePrivateFile, writeSynced } from '#kernel/durable-file.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

test('a private file is replaced whole and read by nobody else', async () => {
  await using folder = await createTempDirectory();
  const path = join(folder.path, 'secret');
  await writeFile(path, 'old', { mode: 0o644 });
  // What a crash left of an earlier try, open to all.
  await writeFile(`${path}.new`, 'half', { mode: 0o644 });
  await writePrivateFile(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder.path)).toEqual(['secret']);
});

test('a file that is there already is neither written nor removed', async () => {
  await using folder = await createTempDirectory();
  const path = join(folder.path, 'a');
  await writeSynced(path, 'first');
  await expect(writeSynced(path, 'second')).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(path, 'utf8')).toBe('first');
});
