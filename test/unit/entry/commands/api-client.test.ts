import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createApiClient, makeSentence } from '#entry/commands/api-client.ts';
import { ForgeError } from '#kernel/forge-error.ts';

const token = `wrn_${'a'.repeat(40)}`;

async function serve(handle: RequestListener, signal = new AbortController().signal) {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const url = new URL(`http://127.0.0.1:${port}`);
  return {
    client: createApiClient({ url, token, isLocal: false, foundIn: undefined }, signal),
    port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function problem(status: number, body: object, headers = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
    response.end(JSON.stringify({ title: 'Refused', status, ...body }));
  };
}

function sentence(text: string | RegExp) {
  return { details: { sentence: typeof text === 'string' ? text : expect.stringMatching(text) } };
}

test('reads are tried again while the server is busy, up to four times', async () => {
  let calls = 0;
  const busy = problem(
    503,
    { code: 'LIMIT_REACHED', detail: 'all is taken' },
    { 'retry-after': '0' },
  );
  await using server = await serve((request, response) => {
    calls++;
    if (calls < 4 || request.url !== '/api/v1/user') busy(request, response);
    else response.end('{"name":"mary"}');
  });
  expect(await server.client.get('/user')).toEqual({ name: 'mary' });
  expect(calls).toBe(4);
  await expect(server.client.get('/limits')).rejects.toMatchObject(
    sentence('All is taken. Try again in 0 s.'),
  );
  expect(calls).toBe(8);
});

test('a change is sent once, even when it is refused for now', async () => {
  let calls = 0;
  const busy = problem(429, { code: 'LIMIT_REACHED', detail: 'too fast' }, { 'retry-after': '1' });
  await using server = await serve((request, response) => {
    calls++;
    busy(request, response);
  });
  const sent = server.client.send('POST', '/accounts', {});
  await expect(sent).rejects.toMatchObject(sentence('Too fast. Try again in 1 s.'));
  expect(calls).toBe(1);
});

test('lists are read to their end', async () => {
  const asked: string[] = [];
  await using server = await serve(({ url = '' }, response) => {
    asked.push(url);
    response.end(JSON.stringify({ items: [asked.length], next: asked.length < 3 ? 'a+b' : null }));
  });
  expect(await server.client.list('/limits')).toEqual([1, 2, 3]);
  expect(asked).toEqual([
    '/api/v1/limits?limit=100',
    '/api/v1/limits?limit=100&cursor=a%2Bb',
    '/api/v1/limits?limit=100&cursor=a%2Bb',
  ]);
});

test.each([
  [problem(409, { code: 'CONFLICT', detail: 'it is there' }), 'It is there.'],
  [problem(403, { code: 'FORBIDDEN', title: 'You may not do this' }), 'You may not do this.'],
  [problem(401, { code: 'UNAUTHENTICATED' }), /^The token is not valid/],
  [problem(500, { code: 'INTERNAL', title: 'Something' }), /log says what/],
  [problem(418, { code: 'NEWER_THAN_THIS', detail: 'no tea' }), /^No tea\./],
] as const)('problem %# becomes a sentence', async (handle, text) => {
  await using server = await serve(handle);
  await expect(server.client.send('POST', '/x')).rejects.toMatchObject(sentence(text));
});

test('something else that answers is told as such', async () => {
  await using server = await serve(({ url }, response) => {
    if (url?.endsWith('/moved') === true)
      response.writeHead(302, { location: 'https://x.example/' });
    else if (url?.endsWith('/page') === true)
      response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html>');
  });
  await expect(server.client.get('/moved')).rejects.toMatchObject(
    sentence(/sends on to https:\/\/x\.example\/: name that server with --url\.$/),
  );
  await expect(server.client.get('/page')).rejects.toMatchObject(sentence(/answered 502/));
  await expect(server.client.get('/x')).rejects.toMatchObject(sentence(/is no Warren/));
});

test('a connection that breaks, and a server that is gone, are told in a sentence', async () => {
  const server = await serve((request) => request.socket.destroy());
  await expect(server.client.get('/x')).rejects.toMatchObject({ code: 'SERVER_UNREACHABLE' });
  await server[Symbol.asyncDispose]();
  await expect(server.client.get('/x')).rejects.toMatchObject(
    sentence(
      `No server answers at http://127.0.0.1:${server.port}. Start one with "npm start" (or "warren serve"), or name one with --url or WARREN_URL.`,
    ),
  );
});

test('an interrupt ends a request that gets no answer', async () => {
  const controller = new AbortController();
  await using server = await serve(
    () => controller.abort(new ForgeError('CANCELLED')),
    controller.signal,
  );
  await expect(server.client.get('/x')).rejects.toMatchObject({ code: 'CANCELLED' });
});

test.each([
  ['there is no such account', 'There is no such account.'],
  ['"x" is taken', '"x" is taken.'],
  ['spec.path is wrong', 'spec.path is wrong.'],
  ['Is that so?', 'Is that so?'],
])('%j reads as a sentence', (text, expected) => {
  expect(makeSentence(text)).toBe(expected);
});
