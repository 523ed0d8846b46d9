// The kit starts the real program: what it hands out is true, and whatever ends the server, nothing is left.

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGitClient } from '#support/git-client.ts';
import { watchLeaks } from '#support/leak-check.ts';
import { scrapeMetrics } from '#support/metrics-scrape.ts';
import { processesOf, readProcess } from '#support/process-table.ts';
import { rawRequest } from '#support/raw-http.ts';
import { startWarren } from '#support/start-warren.ts';

const manifest = `apiVersion: warren.dev/v1alpha1
kind: Repository
metadata: { name: project, namespace: team }
spec: { visibility: public }
`;

test('a server answers on every address it names, takes a clone, and stops with nothing left', async () => {
  await using _ = await watchLeaks();
  await using warren = await startWarren({ manifests: { project: manifest } });
  await using git = await createGitClient();
  expect(warren.adminToken).toMatch(/^wrn_[A-Za-z0-9]{40}$/);
  expect((await stat(join(warren.dataDir, 'admin-token'))).mode & 0o777).toBe(0o600);
  expect(await readdir(warren.catalogDir)).toEqual(['project.yaml']);
  expect(warren.ssh).toMatch(/^ssh:\/\/git@localhost:\d+$/);
  const { host } = new URL(warren.http);
  expect(await rawRequest(warren.http, `GET /healthz HTTP/1.1\nHost: ${host}`)).toMatchObject({
    status: 200,
  });
  const clone = await git.run(['clone', `${warren.http}/team/project.git`, 'copy']);
  expect(clone.stderr).toContain('empty repository');
  expect((await scrapeMetrics(warren.admin)).value('process_open_fds')).toBeGreaterThan(0);
  await warren.stop();
  expect(readProcess(warren.pid)).toBeUndefined();
  expect(processesOf(warren.dataDir)).toEqual([]);
});

test('a killed server starts again on its folders', async () => {
  await using _ = await watchLeaks();
  await using first = await startWarren({ manifests: { project: manifest } });
  await first.kill9();
  const { dataDir, catalogDir } = first;
  await using second = await startWarren({ dataDir, catalogDir });
  expect(second.adminToken).toBe(first.adminToken);
});

test('a start that fails tells its log, and nothing is left', async () => {
  await using _ = await watchLeaks();
  const starting = startWarren({ env: { WARREN_HTTP_PORT: 'eighty' } });
  await expect(starting).rejects.toThrow(/did not get ready: [^]*WARREN_HTTP_PORT must be/);
});
