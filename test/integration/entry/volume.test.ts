// A volume that is full or read-only: a start that says so, a push that is refused in words, and fetches that go on.

import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHttpForge } from '#support/http-forge.ts';
import { startServe } from '#support/serve-process.ts';
import { createTempDirectory, type TempDirectory } from '#support/temp-directory.ts';
import { canMount, mountTmpfs } from '#support/tmpfs.ts';

let folder: TempDirectory;
let volume: string;
beforeEach(async () => {
  folder = await createTempDirectory('volume');
  volume = join(folder.path, 'volume');
  await mkdir(volume);
});
afterEach(() => folder[Symbol.asyncDispose]());

async function startOn(dataDir: string): Promise<{ code: number | null; stderr: string }> {
  const env = { WARREN_DATA_DIR: dataDir, WARREN_CATALOG: join(folder.path, 'catalog') };
  await using server = startServe(env, [join(folder.path, 'home')]);
  return await server.ended();
}

test.skipIf(!canMount)(
  'a data directory on a read-only or full volume prevents the start, in words',
  async () => {
    using mounted = mountTmpfs(volume, '1m');
    mounted.remount('ro');
    const readOnly = await startOn(join(volume, 'data'));
    expect([readOnly.code, readOnly.stderr]).toEqual([
      1,
      expect.stringMatching(/read-only.*WARREN_DATA_DIR/),
    ]);
    mounted.remount('rw');
    await writeFile(join(volume, 'filler'), Buffer.alloc(2 ** 20)).catch(() => {});
    const full = await startOn(join(volume, 'data'));
    expect([full.code, full.stderr]).toEqual([
      1,
      expect.stringMatching(/the volume is full.*WARREN_DATA_DIR/),
    ]);
  },
);

test.skipIf(!canMount)(
  'a volume that fills up refuses pushes in words, leaves nothing of them, and serves fetches',
  async () => {
    using _mounted = mountTmpfs(volume, '24m');
    await using forge = await startHttpForge(
      { code: { commits: 3, spec: 'visibility: public\naccess: [{user: ann, role: write}]' } },
      { dataDir: join(volume, 'data'), env: { WARREN_LIMIT_DISK_FREE_BYTES: '16MiB' } },
    );
    const token = await forge.addAccount('ann');
    const cwd = join(forge.git.home, 'work');
    await forge.git.ok(['clone', '-q', forge.urlOf('code', token), cwd]);
    await forge.git.ok(['commit', '-q', '--allow-empty', '-m', 'small'], { cwd });
    await forge.git.ok(['push', '-q', 'origin', 'HEAD:main'], { cwd });
    await writeFile(join(volume, 'filler'), Buffer.alloc(12 * 2 ** 20));
    await writeFile(join(cwd, 'large'), randomBytes(2 ** 20));
    await forge.git.ok(['add', '.'], { cwd });
    await forge.git.ok(['commit', '-q', '-m', 'large'], { cwd });
    const refused = await forge.git.run(['push', 'origin', 'HEAD:main'], { cwd });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(
      /remote: the volume must keep 16 MiB free \(disk_free_bytes\); nothing was stored/,
    );
    expect(
      (await forge.metrics()).sum('warren_limit_refusals_total', {
        limit: 'disk_free_bytes',
        reason: 'disk',
      }),
    ).toBe(1);
    await forge.git.ok(['clone', '-q', forge.urlOf('code'), 'still']);
    await forge.assertIdle();
  },
);

test.skipIf(!canMount)(
  'a volume that is full in the middle of a push: git says so, and nothing of it stays',
  async () => {
    using _mounted = mountTmpfs(volume, '24m');
    await using forge = await startHttpForge(
      { code: { commits: 3, spec: 'visibility: public\naccess: [{user: ann, role: write}]' } },
      { dataDir: join(volume, 'data'), env: { WARREN_LIMIT_DISK_FREE_BYTES: '1KiB' } },
    );
    const token = await forge.addAccount('ann');
    const cwd = join(forge.git.home, 'work');
    await forge.git.ok(['clone', '-q', forge.urlOf('code', token), cwd]);
    await writeFile(join(cwd, 'large'), randomBytes(30 * 2 ** 20));
    await forge.git.ok(['add', '.'], { cwd });
    await forge.git.ok(['commit', '-q', '-m', 'large'], { cwd });
    const { code, stderr } = await forge.git.run(
      ['-c', 'http.postBuffer=65536', 'push', 'origin', 'HEAD:main'],
      { cwd },
    );
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/remote: .*(No space left|write error|unpack)|unpacker error/i);
    await forge.assertIdle();
    const { head = '' } = forge.built['code'] ?? {};
    expect(await forge.git.ok(['ls-remote', forge.urlOf('code'), 'main'])).toContain(head);
  },
);
