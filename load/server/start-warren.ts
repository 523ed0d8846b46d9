// Starts Warren as a person would, on loopback with any free ports, serving the given repositories by import.
// It ends with the scope; a start that never gets ready fails with what the server said.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { BenchScope } from '#load/bench-scope.ts';
import { createCpuMeter } from '#load/measure/cpu-meter.ts';
import type { BenchServer } from '#load/server/bench-server.ts';
import { launch } from '#load/server/launch.ts';
import { type ReadyLine, awaitReadyLine } from '#load/server/ready-line.ts';
import { waitUntil } from '#load/server/wait-until.ts';

const namespace = 'bench';
const entry = fileURLToPath(new URL('../../services/entry/warren.ts', import.meta.url));

export type WarrenServer = BenchServer & {
  readonly pid: number;
  readonly adminUrl: string;
  /** TERM and the exit code; for benches that look at the end. */
  stop(): Promise<number | null>;
};

/** The settings of a server for benches: any ports, numeric loopback, X-Forwarded-For believed from it. */
export function warrenEnvironment(dir: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: dir,
    LC_ALL: 'C',
    WARREN_DATA_DIR: join(dir, 'data'),
    WARREN_CATALOG: join(dir, 'catalog'),
    WARREN_LISTEN: '127.0.0.1',
    WARREN_HTTP_PORT: '0',
    WARREN_SSH_PORT: '0',
    WARREN_ADMIN_PORT: '0',
    WARREN_TRUSTED_PROXIES: '127.0.0.0/8',
  };
}

/**
 * @param repositories name → path of the bare repository to import.
 * @param settings further WARREN_… settings, as limits.
 */
export async function startWarren(
  scope: BenchScope,
  repositories: ReadonlyMap<string, string>,
  settings: Readonly<Record<string, string>> = {},
): Promise<WarrenServer> {
  const dir = join(scope.dir, 'warren');
  await mkdir(join(dir, 'catalog'), { recursive: true });
  await writeFile(join(dir, 'catalog', 'bench.yaml'), buildManifests(repositories));
  const cpu = createCpuMeter('ours');
  scope.defer('CPU meter of Warren', () => cpu.close());
  const launched = await launch({
    program: process.execPath,
    args: [entry, 'serve'],
    cwd: dir,
    env: { ...warrenEnvironment(dir), ...settings },
    groupDir: cpu.groupDir,
  });
  scope.defer('Warren', async () => void (await launched.stop(10_000)));
  const ready = await awaitReadyLine(scope.signal, launched);
  const httpUrl = numericOrigin(ready);
  const repositoryUrl = (name: string) => `${httpUrl}/${namespace}/${name}.git`;
  for (const name of repositories.keys())
    await waitUntil(
      scope.signal,
      `${name} is imported`,
      () => listsRefs(repositoryUrl(name)),
      60_000,
    );
  return {
    side: 'ours',
    pid: launched.pid,
    adminUrl: ready.admin,
    rootPids: [launched.pid],
    repositoryUrl,
    cpu,
    stop: () => launched.stop(30_000),
  };
}

function buildManifests(repositories: ReadonlyMap<string, string>): string {
  return [...repositories]
    .map(([name, url]) =>
      stringify({
        apiVersion: 'warren.dev/v1alpha1',
        kind: 'Repository',
        metadata: { namespace, name },
        spec: { visibility: 'public', source: { url } },
      }),
    )
    .join('---\n');
}

/** `localhost` may mean ::1 to a client; what is measured must be one address. */
function numericOrigin({ http }: ReadyLine): string {
  const url = new URL(http);
  url.hostname = '127.0.0.1';
  return url.origin;
}

/** A repository that is being imported answers too, with no refs. */
async function listsRefs(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/info/refs?service=git-upload-pack`).catch(() => undefined);
  const body = await answer?.text();
  return answer?.status === 200 && body !== undefined && body.includes('refs/heads/');
}
