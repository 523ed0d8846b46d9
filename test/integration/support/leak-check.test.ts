// The leak check itself: what a test leaves behind is named, and what it cleans up is not.

import { EventEmitter, once } from 'node:events';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGitClient } from '#support/git-client.ts';
import { watchLeaks } from '#support/leak-check.ts';
import { createTempDirectory } from '#support/temp-directory.ts';

const withinMs = 50;

test('a child that runs on is named', async () => {
  await using git = await createGitClient();
  const leaks = await watchLeaks({ withinMs });
  const running = git.start(['-c', 'alias.hang=!sleep 60', 'hang']);
  await expect(leaks.check()).rejects.toThrow(/left behind:\s+process \d+ git/);
  running.kill();
  await running.result;
  await leaks.check();
});

test('an open file and a listening socket are named', async () => {
  const leaks = await watchLeaks({ withinMs });
  const file = await open(import.meta.filename);
  await expect(leaks.check()).rejects.toThrow(/open .*leak-check\.test\.ts/);
  await file.close();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  await expect(leaks.check()).rejects.toThrow('open socket');
  server.close();
  await leaks.check();
});

test('a listener that stays is named', async () => {
  const { signal } = new AbortController();
  const emitter = new EventEmitter();
  const leaks = await watchLeaks({ withinMs, listeners: { 'the signal': signal, emitter } });
  const listener = () => {};
  signal.addEventListener('abort', listener);
  emitter.on('close', listener);
  process.on('SIGHUP', listener);
  await expect(leaks.check()).rejects.toThrow(
    /process listener SIGHUP\s+listener abort of the signal\s+listener close of emitter/,
  );
  process.off('SIGHUP', listener);
  emitter.off('close', listener);
  signal.removeEventListener('abort', listener);
  await leaks.check();
});

test('temporary files in the folder are named, other files are not', async () => {
  await using folder = await createTempDirectory();
  await writeFile(join(folder.path, 'before.lock'), '');
  const leaks = await watchLeaks({ withinMs, directory: folder.path });
  await mkdir(join(folder.path, 'objects/incoming-x'), { recursive: true });
  await writeFile(join(folder.path, 'config'), '');
  await expect(leaks.check()).rejects.toThrow(/left behind:\s+file objects\/incoming-x$/);
});

test('an idle connection of fetch is no leak', async () => {
  const leaks = await watchLeaks();
  const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
  server.close();
  await leaks.check();
  expect((await fetch('data:text/plain,again')).status).toBe(200);
});
