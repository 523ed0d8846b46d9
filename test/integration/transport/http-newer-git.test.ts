// The server on a newer git than the machine's: reftable, and git archive over HTTP. Runs when WARREN_TEST_GIT names
// a folder with a git of 2.45 or later.

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { encodePacket, flushPacket } from '#git/pkt-line.ts';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';
import { rawRequest } from '#support/raw-http.ts';
import { fillerCommits } from '#support/repository-builder.ts';

const folder = process.env['WARREN_TEST_GIT'];

describe.skipIf(folder === undefined)('on a newer git', () => {
  let forge: HttpForge;
  let token: string;
  const grants = 'visibility: public\naccess: [{user: ann, role: write}]';
  beforeAll(async () => {
    const path = `${folder}:${process.env['PATH']}`;
    forge = await startHttpForge(
      {
        code: {
          commits: fillerCommits(10, { bytes: 500 }),
          branches: { 'a/b': 3 },
          tags: { v1: { at: 2, message: 'x' } },
          spec: grants,
        },
        fresh: { commits: 0, spec: grants },
        files: { commits: 0, spec: `${grants}\nrefFormat: files` },
      },
      { env: { PATH: path } },
    );
    token = await forge.addAccount('ann');
  });
  afterEach(() => forge.assertIdle());
  afterAll(() => forge[Symbol.asyncDispose]());

  test('repositories are made with reftable unless the manifest says files', async () => {
    expect(await readdir(forge.gitDirOf('code'))).toContain('reftable');
    expect(await readdir(forge.gitDirOf('fresh'))).toContain('reftable');
    expect(await readdir(forge.gitDirOf('files'))).not.toContain('reftable');
  });

  test.each([0, 2])('a clone and ls-remote by protocol %s', async (version) => {
    const flags = ['-c', `protocol.version=${version}`];
    const listed = await forge.git.ok([...flags, 'ls-remote', forge.urlOf('code')]);
    expect(listed).toBe(await forge.git.ok(['ls-remote', forge.built['code']?.path ?? '']));
    await forge.git.ok([...flags, 'clone', '-q', forge.urlOf('code'), `clone-${version}`]);
  });

  test('each push is seen at once, by the listing too', async () => {
    const cwd = join(forge.git.home, 'work');
    await forge.git.ok(['clone', '-q', forge.urlOf('fresh', token), cwd]);
    for (let round = 0; round < 5; round++) {
      await writeFile(join(cwd, 'file'), `${round}`);
      await forge.git.ok(['add', '.'], { cwd });
      await forge.git.ok(['commit', '-q', '-m', `${round}`], { cwd });
      await forge.git.ok(['push', '-q', 'origin', 'HEAD:main', `HEAD:refs/heads/x/${round}`], {
        cwd,
      });
      const head = await forge.git.ok(['rev-parse', 'HEAD'], { cwd });
      const listed = await forge.git.ok(['ls-remote', forge.urlOf('fresh')]);
      expect(listed).toContain(`${head}\tHEAD`);
      expect(listed).toContain(`${head}\trefs/heads/x/${round}`);
    }
    await forge.git.ok(['push', '-q', 'origin', '--delete', 'x/0'], { cwd });
    expect(await forge.git.ok(['ls-remote', forge.urlOf('fresh')])).not.toContain('x/0');
  });

  test('git archive over HTTP, as the client of 2.44 asks for it', async () => {
    const head = 'HTTP/1.1\nHost: localhost\nGit-Protocol: version=2';
    const path = '/default/code.git';
    const { http } = forge.warren;
    const asked = await rawRequest(
      http,
      `GET ${path}/info/refs?service=git-upload-archive ${head}`,
    );
    expect(asked.body.toString()).toBe('000eversion 2\n0000');
    const body = Buffer.concat([encodePacket('argument main\n'), flushPacket]);
    const type = 'Content-Type: application/x-git-upload-archive-request';
    const length = `Content-Length: ${body.length}`;
    const answer = await rawRequest(
      http,
      `POST ${path}/git-upload-archive ${head}\n${type}\n${length}`,
      body,
    );
    expect(answer.body.toString('latin1')).toMatch(/^0008ACK\n0000/);
    expect(answer.body.toString('latin1')).toContain('src/file-1.txt');
    expect(answer.body.subarray(-4).toString()).toBe('0000');
  });
});
