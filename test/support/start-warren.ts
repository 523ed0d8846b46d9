// Starts the real program as a child, as a person would, and stops it again; for integration tests and journeys.
// Must stay true: after stop() no process of that server is left, or the test fails.

import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LogLine, superviseServer } from '#support/supervise-server.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

export type WarrenOptions = {
  /** Settings over the defaults here (all ports 0, folders in a temp directory). */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments after `serve`. */
  readonly args?: readonly string[];
  /** Manifests that lie in the catalog before the start: file name without .yaml → text. */
  readonly manifests?: Readonly<Record<string, string>>;
  /** Folders of an earlier server, to start again on them; they are left where they are. */
  readonly dataDir?: string;
  readonly catalogDir?: string;
  readonly readyTimeoutMs?: number;
};

export type Warren = AsyncDisposable & {
  readonly http: string;
  readonly ssh: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly dataDir: string;
  readonly catalogDir: string;
  readonly pid: number;
  /** What it logged so far; a line that is no JSON has only a message. */
  log(): readonly LogLine[];
  /** The file is complete at once: the catalog never sees half of it. */
  writeManifest(name: string, yaml: string): Promise<void>;
  removeManifest(name: string): Promise<void>;
  /** SIGTERM; throws unless it exits with 0 in time and leaves no process. */
  stop(): Promise<void>;
  /** SIGKILL to the server alone, as the kernel does it: its children and files stay as they are. */
  kill9(): Promise<void>;
};

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A Node that runs the program: this one when it is 24 or later, else the one npm installed. */
export const nodeProgram =
  Number.parseInt(process.versions.node, 10) >= 24
    ? process.execPath
    : join(root, 'node_modules/.bin/node');

/** Resolves when the server says it is ready. Use it as `await using warren = await startWarren()`. */
export async function startWarren(options: WarrenOptions = {}): Promise<Warren> {
  const folder = await createTempDirectory('server');
  const dataDir = options.dataDir ?? join(folder.path, 'data');
  const catalogDir = options.catalogDir ?? join(folder.path, 'catalog');
  await mkdir(catalogDir, { recursive: true });
  const writeManifest = (name: string, yaml: string) => writeWhole(catalogDir, name, yaml);
  for (const [name, yaml] of Object.entries(options.manifests ?? {}))
    await writeManifest(name, yaml);

  const child = spawn(nodeProgram, ['services/entry/warren.ts', 'serve', ...(options.args ?? [])], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      // Children inherit HOME: it is what marks the processes of this very server.
      HOME: folder.path,
      WARREN_DATA_DIR: dataDir,
      WARREN_CATALOG: catalogDir,
      WARREN_HTTP_PORT: '0',
      WARREN_SSH_PORT: '0',
      WARREN_ADMIN_PORT: '0',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const server = superviseServer(child, [folder.path, dataDir]);
  async function dispose(): Promise<void> {
    try {
      if (server.exit === undefined) await server.stop();
    } finally {
      await server.endSurvivors();
      await folder[Symbol.asyncDispose]();
    }
  }
  try {
    const ready = await server.ready(options.readyTimeoutMs ?? 20_000);
    return {
      ...ready,
      adminToken: (await readFile(join(dataDir, 'admin-token'), 'utf8')).trim(),
      dataDir,
      catalogDir,
      pid: child.pid ?? 0,
      log: () => server.log,
      writeManifest,
      removeManifest: (name) => rm(join(catalogDir, `${name}.yaml`)),
      stop: () => server.stop(),
      kill9: () => server.end('SIGKILL'),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await server.end('SIGKILL');
    await dispose();
    throw error;
  }
}

async function writeWhole(catalogDir: string, name: string, yaml: string): Promise<void> {
  const scratch = join(catalogDir, `.${name}.new`);
  await writeFile(scratch, yaml);
  await rename(scratch, join(catalogDir, `${name}.yaml`));
}
