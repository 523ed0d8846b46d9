// git-lfs as a client: it is told in words that its files are not kept here, and nothing of the push moves.

import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';
import { createSshKey, type SshKey } from '#support/ssh-key.ts';

const installed = inject('clients')['git-lfs'];

describe.skipIf(installed === undefined)('git-lfs', () => {
  if (installed?.kind === 'failed') {
    test('it can be installed', () => expect.fail(installed.sentence));
    return;
  }
  let forge: HttpForge;
  let token: string;
  let key: SshKey;
  beforeAll(async () => {
    forge = await startHttpForge({
      code: { commits: 2, spec: 'access: [{user: ann, role: write}]' },
    });
    token = await forge.addAccount('ann');
    key = await createSshKey(forge.git.home);
    await forge.api('POST', '/accounts/ann/keys', { key: key.publicLine });
  });
  afterEach(() => forge.assertIdle());
  afterAll(() => forge[Symbol.asyncDispose]());

  test.each(['http', 'ssh'] as const)('a push of a tracked file over %s', async (by) => {
    const url = by === 'http' ? forge.urlOf('code', token) : `${forge.warren.ssh}/default/code.git`;
    const env = { GIT_SSH_COMMAND: key.command };
    const cwd = join(forge.git.home, by);
    await forge.git.ok(['clone', '-q', url, cwd], { env });
    await forge.git.ok(['lfs', 'install', '--local'], { cwd });
    await forge.git.ok(['lfs', 'track', '*.bin'], { cwd });
    await writeFile(join(cwd, 'large.bin'), randomBytes(5000));
    await forge.git.ok(['add', '.'], { cwd });
    await forge.git.ok(['commit', '-q', '-m', 'tracked'], { cwd });
    const pushed = await forge.git.run(['push', 'origin', 'HEAD:refs/heads/tracked'], { cwd, env });
    expect(pushed.code).not.toBe(0);
    expect(pushed.stderr).toContain('Git LFS is not served here: push the files themselves.');
    const refs = await forge.git.ok(['for-each-ref'], { cwd: forge.gitDirOf('code') });
    expect(refs).not.toContain('tracked');
  });
});
