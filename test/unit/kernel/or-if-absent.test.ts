import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { orIfAbsent } from '#kernel/or-if-absent.ts';

test('what is there is given, what is not is replaced, and any other failure stays one', async () => {
  expect(await orIfAbsent(Promise.resolve(1), 2)).toBe(1);
  expect(await orIfAbsent(readFile('/nowhere/at-all', 'utf8'), undefined)).toBeUndefined();
  await expect(orIfAbsent(readdir('/dev/null'), [])).rejects.toMatchObject({ code: 'ENOTDIR' });
});
