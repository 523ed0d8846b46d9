// A person's first day with Warren, as README tells it: start, clone, push, bring a project, let a colleague in,
// protect what matters, look at the limits, stop. Real program, real git, real ssh; nothing is prepared.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CommandOptions, runCommand } from '#support/command-line.ts';
import { createGitClient } from '#support/git-client.ts';
import { buildRepository } from '#support/repository-builder.ts';
import { createSshKey } from '#support/ssh-key.ts';
import { startWarren } from '#support/start-warren.ts';

test('a first day', async () => {
  await using warren = await startWarren();
  await using git = await createGitClient();
  const say = async (line: string, options: CommandOptions = {}) => {
    const env = { WARREN_DATA_DIR: warren.dataDir, ...options.env };
    const said = await runCommand(line.split(' '), { cwd: git.home, ...options, env });
    return { ...said, all: said.stdout + said.stderr };
  };
  const addressOf = (path: string, token: string) =>
    `${warren.http.replace('://', `://me:${token}@`)}/${path}.git`;
  const commit = ['commit', '-q', '--allow-empty', '-m', 'My first push'];

  // The clone command that the start prints works at once; a push asks who you are.
  await git.ok(['clone', '-q', `${warren.http}/demo/hello.git`, 'hello']);
  await git.ok(commit, { cwd: join(git.home, 'hello') });
  const nameless = await git.run(['push'], { cwd: join(git.home, 'hello') });
  expect(nameless.stderr).toContain('could not read Username');
  const mine = addressOf('demo/hello', warren.adminToken);
  await git.ok(['push', '-q', mine, 'HEAD:main'], { cwd: join(git.home, 'hello') });

  // A project from elsewhere comes in with everything it has.
  const project = await buildRepository(join(git.home, 'project.git'), {
    commits: 40,
    branches: { topic: 10 },
    tags: { v1: { at: 20, message: 'First release' } },
  });
  const imported = await say(`import ${project.path} team/project`);
  expect([imported.code, imported.all]).toEqual([0, expect.stringContaining('Imported')]);
  expect((await say('get repositories')).stdout).toContain('team/project');

  // A colleague gets a token and a key. The project is private, so nothing of it shows until a role is given.
  await say('user add ann');
  const { stdout: token } = await say('token create --account ann --name laptop');
  const key = await createSshKey(git.home);
  expect((await say(`key add ${key.privateFile}.pub --account ann`)).code).toBe(0);
  const asAnn = addressOf('team/project', token.trim());
  const hidden = await git.run(['ls-remote', asAnn]);
  expect(hidden.stderr).toContain('not found');
  const manifest = `apiVersion: warren.dev/v1alpha1
kind: Repository
metadata: { namespace: team, name: project }
spec:
  visibility: private
  source: { url: ${project.path} }
  access: [{ user: ann, role: write }]
  protectedBranches: [{ pattern: main }]
`;
  const applied = await say('apply -f -', { stdin: manifest });
  expect([applied.code, applied.all]).toEqual([0, expect.stringContaining('configured')]);

  // By SSH and by HTTP, she has it now; what is protected stays.
  const ssh = { env: { GIT_SSH_COMMAND: key.command } };
  await git.ok(['clone', '-q', `${warren.ssh}/team/project.git`, 'project'], ssh);
  const inProject = { cwd: join(git.home, 'project'), ...ssh };
  await git.ok(commit, inProject);
  await git.ok(['push', '-q'], inProject);
  await git.ok(['commit', '-q', '--amend', '--allow-empty', '-m', 'Rewritten'], inProject);
  const forced = await git.run(['push', '--force'], inProject);
  expect(forced.stderr).toContain('remote: refs/heads/main: protected branch');
  expect(await git.ok(['ls-remote', asAnn, 'refs/tags/v1'])).toContain('refs/tags/v1');

  // A mistake in a manifest is named by file and line, and changes nothing.
  const mistake = await say('apply -f -', { stdin: manifest.replace('visibility', 'visibilty') });
  expect([mistake.code, mistake.all]).toEqual([1, expect.stringMatching(/:5: .*visibility/)]);

  // A lost laptop: its token and key are worth nothing a second later.
  const tokens = JSON.parse((await say('token list --account ann --json')).stdout);
  const [{ id }] = tokens.items ?? tokens;
  expect((await say(`token revoke ${id} --account ann`)).code).toBe(0);
  expect((await git.run(['ls-remote', asAnn])).stderr).toContain('Authentication failed');

  const limits = await say('limits');
  expect(limits.stdout).toMatch(/git_http +0 +16/);
  await warren.stop();
});
