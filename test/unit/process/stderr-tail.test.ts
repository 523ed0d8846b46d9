// The tail of stderr is bounded in bytes and line length and keeps the end.

import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { keepTail } from '#process/stderr-tail.ts';

test('keeps a short text whole, without the white space around it', async () => {
  const stream = new PassThrough();
  const tail = keepTail(stream);
  stream.write('\nfatal: one\n');
  stream.end('fatal: two\n\n');
  expect(await tail()).toBe('fatal: one\nfatal: two');
});

test('keeps the last bytes of a flood', async () => {
  const stream = new PassThrough();
  const tail = keepTail(stream, 100);
  for (let index = 0; index < 1000; index++) stream.write(`line ${index}\n`);
  stream.end('the end');
  const text = await tail();
  expect(text.length).toBeLessThanOrEqual(100);
  expect(text).toMatch(/line 999\nthe end$/);
});

test('cuts a line that never ends', async () => {
  const stream = new PassThrough();
  const tail = keepTail(stream);
  stream.end(`${'x'.repeat(5000)}\nlast`);
  expect(await tail()).toBe(`${'x'.repeat(500)}\nlast`);
});

test('a stream that breaks gives what came before', async () => {
  const stream = new PassThrough();
  const tail = keepTail(stream);
  stream.write('before');
  await new Promise((resolve) => setImmediate(resolve));
  stream.destroy(new Error('EIO'));
  expect(await tail()).toBe('before');
});
