// The raw client shows a server's answers as they are, whole or cut short.

import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openRawHttp, rawRequest } from '#support/raw-http.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

/** A server that sends the text as soon as a head has come, and then ends when told so. */
async function answer(text: string, then: 'end' | 'keep' = 'keep'): Promise<string> {
  server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => (then === 'end' ? socket.end(text) : socket.write(text)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

const head = 'GET / HTTP/1.1\nHost: x';

test('a body by its length', async () => {
  const url = await answer(
    'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 5\r\n\r\nlater',
  );
  expect(await rawRequest(url, head)).toMatchObject({
    status: 429,
    reason: 'Too Many Requests',
    headers: { 'retry-after': '1' },
    body: Buffer.from('later'),
    complete: true,
  });
});

test('a body in chunks, after an interim answer', async () => {
  const url = await answer(
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
  );
  const response = await rawRequest(url, head);
  expect([response.body.toString(), response.interim, response.complete]).toEqual([
    'abcde',
    [100],
    true,
  ]);
});

test.each([
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabc'],
  ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nabc'],
])('a body by %s that is cut short is not complete', async (_, text) => {
  expect(await rawRequest(await answer(text, 'end'), head)).toMatchObject({
    status: 200,
    complete: false,
  });
});

test('two answers on one connection, and an answer to HEAD without a body', async () => {
  const one = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n';
  const url = await answer(`${one}${one}two`);
  await using connection = await openRawHttp(url);
  connection.write(`${head}\r\n\r\n`);
  expect((await connection.response({ method: 'HEAD' })).body).toHaveLength(0);
  expect((await connection.response()).body.toString()).toBe('two');
});

test('no answer in time, and a connection that ends without one, are errors', async () => {
  await using silent = await openRawHttp(await answer(''));
  await expect(silent.response({ timeoutMs: 20 })).rejects.toThrow('not within 20 ms');
  server?.close();
  const url = await answer('', 'end');
  await using ended = await openRawHttp(url);
  ended.write(`${head}\r\n\r\n`);
  await expect(ended.response({ timeoutMs: 100 })).rejects.toMatchObject({
    cause: { message: 'the connection ended without a response: ""' },
  });
});
