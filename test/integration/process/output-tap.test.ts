import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { buildChildEnvironment } from '#process/child-environment.ts';
import { OutputTaps } from '#process/output-tap.ts';
import { silentProcessMonitor } from '#process/process-monitor.ts';
import { startChild } from '#process/start-child.ts';
import { watchLeaks } from '#support/leak-check.ts';
import { createTempDirectory } from '#support/temp-directory.ts';
import { createTestContext } from '#support/test-context.ts';

async function openTaps() {
  const folder = await createTempDirectory('taps');
  const taps = new OutputTaps(join(folder.path, 's'));
  await taps.start();
  const context = createTestContext();
  return {
    taps,
    context,
    async start(script: string) {
      return startChild(context, {
        program: '/bin/sh',
        args: ['-c', script],
        cwd: '/',
        env: buildChildEnvironment(process.env),
        label: 'other',
        monitor: silentProcessMonitor,
        tap: await taps.open(),
      });
    },
    async [Symbol.asyncDispose]() {
      await taps.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Eight MiB in pieces of 8 KiB that each have their own content. */
const stream = 'i=0; while [ $i -lt 1024 ]; do printf "%08192d" $i; i=$((i + 1)); done';

test.each([
  ['a quick taker', 0],
  ['a slow taker', 2],
])('%s gets every byte in order, through one buffer', async (_, pauseMs) => {
  await using leaks = await watchLeaks();
  {
    await using opened = await openTaps();
    const child = await opened.start(stream);
    const hash = createHash('sha256');
    const memory = new Set<ArrayBufferLike>();
    let bytes = 0;
    await child.tap?.read(async (chunk) => {
      if (pauseMs > 0 && bytes % 7 === 0) await wait(pauseMs);
      memory.add(chunk.buffer);
      bytes += chunk.length;
      hash.update(chunk);
    });
    expect((await child.ended).code).toBe(0);
    const expected = createHash('sha256');
    for (let i = 0; i < 1024; i++) expected.update(String(i).padStart(8192, '0'));
    expect(bytes).toBe(1024 * 8192);
    expect(hash.digest('hex')).toBe(expected.digest('hex'));
    expect(memory.size).toBe(1);
  }
  await leaks.check();
});

test('several at once do not mix', async () => {
  await using opened = await openTaps();
  const texts = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const child = await opened.start(`printf 'from %s' ${index}`);
      let text = '';
      await child.tap?.read(async (chunk) => {
        text += chunk.toString();
      });
      await child.ended;
      return text;
    }),
  );
  expect(texts).toEqual(Array.from({ length: 20 }, (_, index) => `from ${index}`));
});

test('output that came before anybody read is not lost', async () => {
  await using opened = await openTaps();
  const child = await opened.start('printf early');
  await child.ended;
  await wait(20);
  const chunks: string[] = [];
  await child.tap?.read(async (chunk) => void chunks.push(chunk.toString()));
  expect(chunks).toEqual(['early']);
});

test('a taker that fails ends the reading with its error, and the child feels it', async () => {
  await using opened = await openTaps();
  const child = await opened.start(stream);
  const reading = child.tap?.read(() => Promise.reject(new Error('the client has left')));
  await expect(reading).rejects.toThrow('the client has left');
  expect((await child.ended).code).not.toBe(0);
});

test('stop() ends a child whose output nobody takes', async () => {
  await using opened = await openTaps();
  const child = await opened.start(`${stream}; sleep 60`);
  const reading = child.tap?.read(() => new Promise(() => {}));
  child.stop('client_gone');
  await reading;
  expect((await child.ended).stopped).toBe('client_gone');
});

test('a program that cannot be started leaves neither end open', async () => {
  await using leaks = await watchLeaks();
  {
    await using opened = await openTaps();
    const starting = startChild(opened.context, {
      program: '/nowhere/at-all',
      args: [],
      cwd: '/',
      env: {},
      label: 'other',
      monitor: silentProcessMonitor,
      tap: await opened.taps.open(),
    });
    await expect(starting).rejects.toMatchObject({ code: 'SPAWN_FAILED' });
  }
  await leaks.check();
});

test('closing refuses who still waits for a tap', async () => {
  await using opened = await openTaps();
  const opening = opened.taps.open();
  const outcome = opening.then(
    (tap) => tap.destroy(),
    (error: { code: string }) => error.code,
  );
  await opened.taps.close();
  expect([undefined, 'SHUTTING_DOWN']).toContain(await outcome);
});
