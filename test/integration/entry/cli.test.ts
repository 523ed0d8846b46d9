// The commands against the real server, with real git: most in this process, some as the child that a person starts.

import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandGroups, commands } from '#entry/commands/command-list.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import { type CommandOptions, runCommand, startCommand } from '#support/command-line.ts';
import { eventually } from '#support/eventually.ts';
import { createGitClient } from '#support/git-client.ts';
import { buildRepository } from '#support/repository-builder.ts';
import { createSshKey } from '#support/ssh-key.ts';
import { startWarren, type Warren } from '#support/start-warren.ts';
import { createTempDirectory, type TempDirectory } from '#support/temp-directory.ts';

let warren: Warren;
let folder: TempDirectory;

beforeAll(async () => {
  folder = await createTempDirectory('cli');
  warren = await startWarren();
});
afterAll(async () => {
  await warren[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

function env(): Record<string, string> {
  return { WARREN_DATA_DIR: warren.dataDir };
}

function run(line: string, options: CommandOptions = {}) {
  return runCommand(line.split(' '), {
    cwd: folder.path,
    ...options,
    env: { ...env(), ...options.env },
  });
}

/** Throws with what it said when it fails. */
async function ok(line: string, options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await run(line, options);
  if (code !== 0) throw new Error(`warren ${line} ended with ${code}: ${stderr}`);
  return stdout;
}

async function json(line: string, options: CommandOptions = {}) {
  return JSON.parse(await ok(`${line} --json`, options));
}

function manifest(kind: string, name: string, spec: string): string {
  return `apiVersion: warren.dev/v1alpha1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: app}\nspec: ${spec}\n`;
}

test('an account gets a token that clones its private repository, until it is revoked', async () => {
  expect(await ok('user add mary --group staff')).toBe('account mary created\n');
  const file = join(folder.path, 'secret.yaml');
  const access = '{visibility: private, access: [{user: mary, role: write}]}';
  await writeFile(file, manifest('Repository', 'secret', access));
  expect(await ok('apply -f secret.yaml')).toBe('repository app/secret created\n');

  const made = await run('token create --account mary --name laptop --expires 30d');
  const token = made.stdout.trim();
  expect(token).toMatch(/^wrn_[A-Za-z0-9]{40}$/);
  expect(made.stderr).toMatch(/^This token of mary is shown once; it expires 2.*token revoke/);
  expect(made.stderr).not.toContain(token);
  expect(await ok('whoami', { env: { WARREN_TOKEN: token } })).toMatch(
    /^mary \(groups staff\) at http/,
  );

  await using git = await createGitClient();
  const address = `${warren.http}/app/secret.git`;
  const signedIn = address.replace('://', `://x:${token}@`);
  await eventually('the repository can be cloned', () =>
    git.ok(['ls-remote', signedIn]).then(() => true),
  );
  await git.ok(['clone', '-q', signedIn, 'clone']);
  expect((await git.run(['ls-remote', address])).code).toBe(128);

  const [listed] = (await json('token list --account mary')).items;
  expect(listed).toMatchObject({ name: 'laptop', readOnly: false });
  expect(await ok('token list --account mary')).toMatch(/^ID .*\n.* laptop +everything /);
  expect(await ok(`token revoke ${listed.id} --account mary`)).toContain('revoked');
  const refusedAtMs = performance.now();
  await eventually(
    'the token is refused',
    async () => (await git.run(['ls-remote', signedIn])).code !== 0,
    1000,
  );
  expect(performance.now() - refusedAtMs).toBeLessThan(1500);
  const gone = await run('whoami', { env: { WARREN_TOKEN: token } });
  expect(gone).toMatchObject({ code: 1, stdout: '' });
  expect(gone.stderr).toBe(
    'warren: The token is not valid: it may be mistyped, revoked or expired.\n',
  );
});

test('manifests of several files and folders are applied together, or none of them', async () => {
  const manifests = join(folder.path, 'manifests');
  await mkdir(manifests);
  await writeFile(join(manifests, '1.yaml'), manifest('Site', 'page', '{repository: pages}'));
  await writeFile(join(manifests, '2.yml'), `${manifest('Repository', 'pages', '{}')}---\n`);
  await writeFile(join(manifests, 'README.md'), 'no manifest');
  const bad = join(folder.path, 'bad.yaml');
  await writeFile(bad, `# first\n${manifest('Repository', 'third', '\n  visiblity: public')}`);

  const refused = await run('apply -f manifests -f bad.yaml');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toBe(
    'warren: bad.yaml:6: spec.visiblity is no known field; did you mean visibility?\n',
  );
  expect((await run('get repo app/pages')).code).toBe(1);

  expect(await ok('apply -f manifests')).toBe(
    'site app/page created\nrepository app/pages created\n',
  );
  const stdin = manifest('Repository', 'pages', '{description: Pages}');
  expect(await json('apply -f -', { stdin })).toEqual({
    objects: [{ kind: 'Repository', namespace: 'app', name: 'pages', outcome: 'configured' }],
  });
  expect(await ok('apply -f -', { stdin })).toBe('repository app/pages unchanged\n');
  expect(await ok('get sites')).toMatch(/^NAME +REPOSITORY .*\napp\/page +pages /);
  expect(await json('get site app/page')).toMatchObject({ repository: 'pages' });
  expect((await run('apply -f -', { stdin: 'a: "' })).stderr).toMatch(
    /^warren: stdin:1: this is not/,
  );
});

test('what is there is shown as a table, as names, as JSON and as YAML', async () => {
  const table = await ok('get repositories');
  expect(table).toMatch(/^NAME +PATH +VISIBILITY +ROLE +STATE +CLONE\n/);
  expect(table).toMatch(
    /^demo\/hello +demo\/hello +public +admin +ready +http.*\/demo\/hello\.git$/m,
  );
  expect(table).not.toContain('\x1b');
  expect((await ok('get repos', { isTTY: true })).startsWith('\x1b[1mNAME')).toBe(true);
  expect(await ok('get repos -o name')).toMatch(/^demo\/hello$/m);
  expect(await json('get repositories')).toMatchObject({ items: expect.any(Array) });
  expect(await json('get repo demo/hello')).toMatchObject({
    name: 'hello',
    state: { kind: 'ready' },
  });
  expect(await ok('get repo demo/hello -o yaml')).toMatch(/^namespace: demo\nname: hello\n/);
  expect(await run('get repo demo/nope')).toMatchObject({
    code: 1,
    stderr: 'warren: There is no repository demo/nope that you may read.\n',
  });
});

test('a repository is imported from a folder, with progress, and can be cloned', async () => {
  const source = await buildRepository(join(folder.path, 'source.git'), { commits: 30 });
  const imported = await run('import source.git app/copy --visibility public');
  expect(imported).toMatchObject({ code: 0, stdout: `${warren.http}/app/copy.git\n` });
  expect(imported.stderr).toMatch(
    /^Starting\n[^]*Imported app\/copy\. Clone it with: git clone http/,
  );
  await using git = await createGitClient();
  await git.ok(['clone', '-q', imported.stdout.trim(), 'copy']);
  expect(await git.ok(['-C', 'copy', 'rev-parse', 'HEAD'])).toBe(source.head);

  const second = await run('import ./source.git app/bar --json', { isTTY: true });
  expect(JSON.parse(second.stdout)).toMatchObject({ namespace: 'app', name: 'bar' });
  expect(second.stderr.split('\r\x1b[K').at(-1)).toBe('');

  expect((await run('import source.git app/copy')).stderr).toMatch(/already\.\n$/);
  expect((await run('import nowhere.git app/no')).stderr).toBe(
    `warren: There is no folder ${join(folder.path, 'nowhere.git')}.\n`,
  );
  const failed = await run(`import file://${folder.path}/nowhere.git app/lost`);
  expect(failed).toMatchObject({ code: 1, stdout: '' });
  expect(failed.stderr).toMatch(/warren: [^\n]*app\/lost was not imported: .*\n$/);
});

test('interrupting an import says that it goes on', async () => {
  await buildRepository(join(folder.path, 'other.git'), { commits: 2 });
  const controller = new AbortController();
  const importing = run('import other.git app/other', { signal: controller.signal });
  await eventually('it has begun', async () => {
    const { items } = await json('get repositories');
    return items.some(({ name }: { name: string }) => name === 'other');
  });
  controller.abort(new ForgeError('CANCELLED'));
  const { code, stderr } = await importing;
  expect(code).toBe(0);
  // It may have been quicker than we.
  if (!stderr.includes('Imported')) expect(stderr).toContain('The import goes on; see "warren get');
  await eventually('it is there', async () => {
    return (await json('get repo app/other')).state.kind === 'ready';
  });
});

test('accounts are listed, shut out, let in again, and get passwords', async () => {
  await ok('user add bob --operator --password-stdin', { stdin: 'long enough 1\n' });
  const bob = { name: 'bob', operator: true, disabled: false, hasPassword: true };
  expect((await json('user list')).items).toContainEqual(expect.objectContaining(bob));
  expect(await ok('user disable bob')).toBe('account bob disabled\n');
  expect(await ok('user list')).toMatch(/^bob +operator +disabled +- +yes /m);
  expect(await ok('user enable bob')).toBe('account bob enabled\n');
  await ok('user passwd bob --password-stdin', { stdin: 'another one 2\n' });
  expect((await run('user passwd bob')).stderr).toContain('--password-stdin');
  expect((await run('user passwd bob --password-stdin', { stdin: '' })).code).toBe(1);
  expect(await run('user add bob')).toMatchObject({
    code: 1,
    stderr: 'warren: There is an account "bob" already.\n',
  });
});

test('SSH keys are added from a file or stdin and removed; a private key stays where it is', async () => {
  const { publicLine: line } = await createSshKey(folder.path);
  const key = await json('key add id_ed25519.pub --title laptop');
  expect(key).toMatchObject({ title: 'laptop', type: 'ssh-ed25519' });
  expect(await ok('key list')).toContain(key.fingerprint);
  expect((await run('key add -', { stdin: line })).code).toBe(1);
  expect(await ok(`key remove ${key.id}`)).toBe(`key ${key.id} of admin removed\n`);
  const secret = await run('key add id_ed25519');
  expect(secret.stderr).toMatch(/^warren: id_ed25519 is a private key/);
});

test('limits show each limit, once, as JSON, and again and again', async () => {
  expect(await ok('limits')).toMatch(/^git_http +\d+ +16 +\d+ +\d+ +enforced +clones/m);
  const names = (await json('limits')).items.map(({ name }: { name: string }) => name);
  expect(names).toContain('git_http_client');
  const watching = startCommand(
    'services/entry/warren.ts',
    ['limits', '-w', '--interval', '100ms', '--json'],
    {
      env: env(),
    },
  );
  await eventually('several readings', async () => {
    await once(watching.stdout, 'data');
    return true;
  });
  await once(watching.stdout, 'data');
  watching.kill('SIGINT');
  const { signal, stdout, stderr } = await watching.result;
  expect([signal, stderr]).toEqual(['SIGINT', '']);
  for (const reading of stdout.trim().split('\n')) {
    expect(JSON.parse(reading)).toMatchObject({ items: expect.any(Array) });
  }
});

test('what npx runs keeps arguments, streams and exit codes', async () => {
  const ends = async (...args: string[]) => {
    const { code, stdout, stderr } = await startCommand('bin/warren.mjs', args, { env: env() })
      .result;
    return { code, stdout, stderr };
  };
  const [version, unknown, away] = await Promise.all([
    ends('--version'),
    ends('get', 'repositories', '--jsn'),
    ends('whoami', '--url', 'http://127.0.0.1:9'),
  ]);
  const { version: expected } = JSON.parse(await readFile('package.json', 'utf8'));
  expect(version).toEqual({ code: 0, stdout: `${expected}\n`, stderr: '' });
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toMatch(/^warren: "--jsn" is no option here; did you mean --json\?\n/);
  expect(away).toMatchObject({ code: 1, stdout: '' });
});

test('a reader that goes away early is no failure', async () => {
  const listing = startCommand(
    'services/entry/warren.ts',
    ['limits', '-w', '--interval', '100ms'],
    {
      env: env(),
    },
  );
  await once(listing.stdout, 'data');
  listing.stdout.destroy();
  expect(await listing.result).toMatchObject({ code: 0, signal: null, stderr: '' });
});

const names = [...commands, ...commandGroups].map(({ name }) => name);
test.each(['', ...names])('warren %s --help explains itself', async (name) => {
  const words = name === '' ? [] : name.split(' ');
  const { code, stdout, stderr } = await runCommand([...words, '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Usage: warren/m);
  expect(stdout).toMatch(/^Examples:\n {2}\S/m);
  expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test('mistakes of the command line end with 2, and talk to nobody', async () => {
  for (const line of [
    'frobnicate',
    'get',
    'get nonsense',
    'get repos -o xml',
    'get repos a/b/c',
    'import x',
    'import x a/b --visibility secret',
    'apply',
    'token create --expires yesterday',
    'limits --interval 1ms',
    'serve --services transport,nonsense',
  ]) {
    const env = { WARREN_URL: 'http://127.0.0.1:9' };
    const { code, stdout, stderr } = await runCommand(line.split(' '), { env });
    expect({ line, code, stdout }).toEqual({ line, code: 2, stdout: '' });
    expect(stderr).toMatch(/^warren: .*[.?]\n(Usage: .*\n)?See: warren .*--help\n$/);
  }
});
