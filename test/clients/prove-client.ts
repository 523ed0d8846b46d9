// What every git client must be able to do with this server, whoever wrote it; called by the test file of each client.
// The client runs as a program of its own (test/clients/programs); what it did is judged by the real git, in its clone
// and in the repository on the server.

import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type HttpForge, startHttpForge } from '#support/http-forge.ts';
import { type ClientResult, runClient } from '#support/run-client.ts';
import { fillerCommits } from '#support/repository-builder.ts';
import { createSshKey } from '#support/ssh-key.ts';

export type ClientTraits = {
  /** What it knows of depth; who only clones never asks for more of a history whose tip it has. */
  readonly shallow: 'deepens' | 'clones';
  readonly ssh: boolean;
  /** False: it asks for a branch, and an empty repository has none. */
  readonly clonesEmpty: boolean;
  /** What it shows when it is refused. */
  readonly shows: {
    readonly wrongToken: RegExp;
    readonly noToken: RegExp;
    readonly absent: RegExp;
    readonly readOnly: RegExp;
    readonly protectedBranch: RegExp;
    readonly tooLarge: RegExp;
  };
};

const grants = 'access: [{user: ann, role: write}, {user: bob, role: read}]';
const manyRefs = Object.fromEntries(
  Array.from({ length: 400 }, (_, at) => [`topic/${at}`, at % 40]),
);

/** Declares the tests of one client; none when WARREN_TEST_CLIENTS does not name it. */
export function proveClient(name: string, traits: ClientTraits): void {
  const installed = inject('clients')[name];
  describe.skipIf(installed === undefined)(name, () => {
    let forge: HttpForge;
    let token: string;
    let readersToken: string;
    let ssh: Record<string, string>;
    let count = 0;

    if (installed?.kind === 'failed') {
      test('it can be installed', () => expect.fail(installed.sentence));
      return;
    }
    beforeAll(async () => {
      forge = await startHttpForge({
        code: {
          commits: fillerCommits(40),
          branches: { other: 20 },
          tags: { v1: { at: 3, message: 'x' } },
          spec: grants,
        },
        many: {
          commits: fillerCommits(40),
          branches: manyRefs,
          spec: `visibility: public\n${grants}`,
        },
        fresh: { commits: 0, spec: grants },
        kept: { commits: 2, spec: `${grants}\nprotectedBranches: [{pattern: main, push: admin}]` },
        small: { commits: 2, spec: `${grants}\nlimits: {maxPushBytes: 20Ki}` },
      });
      token = await forge.addAccount('ann');
      readersToken = await forge.addAccount('bob');
      const key = await createSshKey(forge.git.home);
      await forge.api('POST', '/accounts/ann/keys', { key: key.publicLine });
      const program = join(forge.git.home, 'ssh');
      await writeFile(program, `#!/bin/sh\nexec ${key.command} "$@"\n`, { mode: 0o755 });
      ssh = { GIT_CLIENT_KEY: key.privateFile, GIT_SSH_COMMAND: key.command, GIT_SSH: program };
    });
    afterEach(() => forge.assertIdle());
    afterAll(() => forge[Symbol.asyncDispose]());

    function run(args: readonly string[], env: Record<string, string> = {}): Promise<ClientResult> {
      if (installed?.kind !== 'ready') throw new Error(`${name} is not installed`);
      const [program, ...first] = installed.command;
      const { home } = forge.git;
      const base = {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        HOME: home,
        LC_ALL: 'C.UTF-8',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_SYSTEM: '/dev/null',
        GIT_TERMINAL_PROMPT: '0',
      };
      return runClient([program, ...first, ...args], {
        cwd: home,
        env: { ...base, ...installed.env, ...env },
      });
    }
    async function ok(
      args: readonly string[],
      env: Record<string, string> = withToken(),
    ): Promise<void> {
      const { code, shown } = await run(args, env);
      expect(code, shown).toBe(0);
    }
    /** @returns what the client showed. */
    async function refused(
      args: readonly string[],
      env: Record<string, string> = withToken(),
    ): Promise<string> {
      const { code, shown } = await run(args, env);
      expect(code, shown).not.toBe(0);
      return shown;
    }
    const withToken = (of = token) => ({ GIT_CLIENT_TOKEN: of });
    const scratch = () => join(forge.git.home, `work-${count++}`);
    const git = (cwd: string, ...args: string[]) => forge.git.ok(args, { cwd });
    const onServer = (repository: string, ...args: string[]) =>
      git(forge.gitDirOf(repository), ...args);

    async function open(repository: string, ...depth: string[]): Promise<string> {
      const path = scratch();
      await ok(['clone', forge.urlOf(repository), path, ...depth]);
      return path;
    }
    /** A commit on a new branch, made by the real git: what is proven is how it travels. */
    async function commit(
      path: string,
      branch: string,
      content: string | Buffer = randomBytes(20),
    ): Promise<string> {
      await git(path, 'checkout', '-q', '-b', branch);
      await writeFile(join(path, 'new file'), content);
      await git(path, 'add', '.');
      await git(path, 'commit', '-q', '-m', 'a change');
      return git(path, 'rev-parse', 'HEAD');
    }
    async function expectWhole(repository: string): Promise<void> {
      await onServer(repository, 'fsck', '--full', '--strict');
    }

    test('a clone is the repository, whole', async () => {
      const path = await open('code');
      expect(await git(path, 'rev-parse', 'HEAD')).toBe(forge.built['code']?.head);
      expect(await git(path, 'rev-parse', 'origin/other')).toBe(forge.built['code']?.oids[20]);
      expect(await git(path, 'rev-parse', 'v1^{commit}')).toBe(forge.built['code']?.oids[3]);
      expect(await git(path, 'status', '--porcelain')).toBe('');
      await git(path, 'fsck', '--full', '--strict');
    });

    test('a clone of 400 branches, without a token', async () => {
      const path = scratch();
      await ok(['clone', forge.urlOf('many'), path], {});
      const branches = await git(
        path,
        'for-each-ref',
        '--format=%(objectname) %(refname:lstrip=3)',
        'refs/remotes/origin/topic',
      );
      const served = await onServer(
        'many',
        'for-each-ref',
        '--format=%(objectname) %(refname:lstrip=2)',
        'refs/heads/topic',
      );
      expect(branches).toBe(served);
    });

    test('a fetch brings what is new', async () => {
      const path = await open('code');
      const author = scratch();
      await git(forge.git.home, 'clone', '-q', forge.urlOf('code', token), author);
      const head = await commit(author, `news-${count}`);
      const branch = await git(author, 'branch', '--show-current');
      await git(author, 'push', '-q', 'origin', branch);
      await ok(['fetch', path]);
      expect(await git(path, 'rev-parse', `origin/${branch}`)).toBe(head);
      await git(path, 'fsck', '--full', '--strict');
    });

    test('a new branch is pushed, and pushed again', async () => {
      const path = await open('code');
      for (const branch of ['first', 'second']) {
        const head = await commit(path, `${branch}/of-it`);
        await ok(['push', path, `${branch}/of-it`]);
        expect(await onServer('code', 'rev-parse', `refs/heads/${branch}/of-it`)).toBe(head);
      }
      await expectWhole('code');
    });

    test('the first push into an empty repository', async () => {
      const path = scratch();
      if (traits.clonesEmpty) await ok(['clone', forge.urlOf('fresh'), path]);
      else {
        await git(forge.git.home, 'init', '-q', path);
        await git(path, 'remote', 'add', 'origin', forge.urlOf('fresh'));
      }
      const head = await commit(path, 'start');
      await git(path, 'branch', '-q', '-M', 'main');
      await ok(['push', path, 'main']);
      expect(await onServer('fresh', 'rev-parse', 'HEAD')).toBe(head);
      await expectWhole('fresh');
    });

    test('a push of more than git’s post buffer', async () => {
      const path = await open('code');
      const content = randomBytes(3 << 20);
      await commit(path, 'large', content);
      await ok(['push', path, 'large']);
      const blob = await git(path, 'hash-object', '--no-filters', 'new file');
      expect(await onServer('code', 'rev-parse', 'large:new file')).toBe(blob);
      await expectWhole('code');
    });

    test('a shallow clone, deepened where it can, and pushed from', async () => {
      const path = await open('code', '1');
      expect(await git(path, 'rev-list', '--count', 'HEAD')).toBe('1');
      if (traits.shallow === 'deepens') {
        await ok(['fetch', path, '5']);
        expect(await git(path, 'rev-list', '--count', 'origin/main')).toBe('5');
      }
      await git(path, 'fsck', '--full', '--strict');
      const head = await commit(path, 'from-shallow');
      await ok(['push', path, 'from-shallow']);
      expect(await onServer('code', 'rev-parse', 'from-shallow')).toBe(head);
      expect(await onServer('code', 'rev-list', '--count', 'from-shallow')).toBe('41');
      await expectWhole('code');
    });

    test.runIf(traits.ssh)('clone, fetch and push over SSH', async () => {
      const path = scratch();
      await ok(['clone', `${forge.warren.ssh}/default/code.git`, path], ssh);
      await git(path, 'fsck', '--full', '--strict');
      const head = await commit(path, 'by-ssh');
      await ok(['push', path, 'by-ssh'], ssh);
      expect(await onServer('code', 'rev-parse', 'by-ssh')).toBe(head);
      await onServer('code', 'update-ref', 'refs/heads/seen-by-ssh', head);
      await ok(['fetch', path], ssh);
      expect(await git(path, 'rev-parse', 'origin/seen-by-ssh')).toBe(head);
      await expectWhole('code');
    });

    test('a wrong token, and none', async () => {
      const { shows } = traits;
      const wrong = withToken(`wrn_${'x'.repeat(40)}`);
      expect(await refused(['clone', forge.urlOf('code'), scratch()], wrong)).toMatch(
        shows.wrongToken,
      );
      expect(await refused(['clone', forge.urlOf('code'), scratch()], {})).toMatch(shows.noToken);
    });

    test('a repository that is not there', async () => {
      expect(await refused(['clone', forge.urlOf('absent'), scratch()])).toMatch(
        traits.shows.absent,
      );
    });

    test.each(['readOnly', 'protectedBranch', 'tooLarge'] as const)(
      'a refused push moves nothing: %s',
      async (why) => {
        const repository = { readOnly: 'code', protectedBranch: 'kept', tooLarge: 'small' }[why];
        const path = await open(repository);
        await commit(path, `refused-${why}`, randomBytes(200_000));
        const branch = why === 'protectedBranch' ? 'main' : `refused-${why}`;
        await git(path, 'branch', '-q', '-M', branch);
        const before = await onServer(repository, 'for-each-ref');
        const shown = await refused(
          ['push', path, branch],
          withToken(why === 'readOnly' ? readersToken : token),
        );
        expect(shown).toMatch(traits.shows[why]);
        expect(await onServer(repository, 'for-each-ref')).toBe(before);
      },
    );
  });
}
