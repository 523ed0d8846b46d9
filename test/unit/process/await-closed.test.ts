// The wait for the rest of a pipe ends, whoever holds the other end.

import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { awaitClosed } from '#process/await-closed.ts';

test('resolves once the stream has been read to its end', async () => {
  const stream = new PassThrough();
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.end('rest');
  await awaitClosed(stream);
  expect(Buffer.concat(chunks).toString()).toBe('rest');
});

test('resolves at once when it is closed already', async () => {
  const stream = new PassThrough();
  stream.destroy();
  await awaitClosed(stream);
  await awaitClosed(stream);
});

test('destroys a stream that nobody ends', async () => {
  const stream = new PassThrough();
  await awaitClosed(stream, 5);
  expect(stream.destroyed).toBe(true);
});
