// The body of a git POST: inflated once, bounded, and broken off loudly.

import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openRequestBody } from '#transport/request-body.ts';

function makeRequest(encoding: string | undefined, ...chunks: readonly Buffer[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  if (encoding !== undefined) request.headers['content-encoding'] = encoding;
  for (const chunk of chunks) request.push(chunk);
  request.push(null);
  return request;
}

async function read(request: IncomingMessage, maxBytes = 2 ** 20): Promise<Buffer> {
  const parts: Buffer[] = [];
  const body = openRequestBody(request, { maxBytes, onTooLarge: () => 'too large' });
  for await (const chunk of body.chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

const text = Buffer.from('0011command=fetch'.repeat(500));

test.each([undefined, 'identity', 'gzip', 'x-gzip'])('encoding %s', async (encoding) => {
  const sent = encoding?.includes('gzip') === true ? gzipSync(text) : text;
  const request = makeRequest(encoding, ...[...sent].map((byte) => Buffer.from([byte])));
  expect(await read(request)).toEqual(text);
});

test.each(['br', 'deflate', 'gzip, gzip', ''])('encoding %j is not taken', (encoding) => {
  expect(() =>
    openRequestBody(makeRequest(encoding), { maxBytes: 1, onTooLarge: () => '' }),
  ).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_MEDIA_TYPE' }));
});

test('the bound is on what comes out, to the byte', async () => {
  expect((await read(makeRequest('gzip', gzipSync(text)), text.length)).length).toBe(text.length);
  await expect(read(makeRequest('gzip', gzipSync(text)), text.length - 1)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  });
  await expect(read(makeRequest(undefined, text), 10)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  });
});

test('a bomb within the bound is one by its ratio', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * 2 ** 20));
  await expect(read(makeRequest('gzip', bomb), 2 ** 30)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  });
});

test.each([
  ['nothing of gzip', Buffer.from('hello world')],
  ['gzip cut short', gzipSync(text).subarray(0, -8)],
  ['gzip with another end', Buffer.concat([gzipSync(text).subarray(0, -8), Buffer.alloc(8)])],
])('%s is a bad request', async (_, bytes) => {
  await expect(read(makeRequest('gzip', bytes))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a request that is destroyed in the middle is a bad request, not an end', async () => {
  const request = new IncomingMessage(new Socket());
  request.push(text);
  const reading = read(request);
  setImmediate(() => request.destroy(new Error('aborted')));
  await expect(reading).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('what is left is read away up to a bound', async () => {
  const open = (bytes: number) =>
    openRequestBody(makeRequest(undefined, Buffer.alloc(bytes)), {
      maxBytes: 10,
      onTooLarge: () => '',
    });
  expect(await open(100).discard(1000)).toBe(true);
  expect(await open(2000).discard(1000)).toBe(false);
});
