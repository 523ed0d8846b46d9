// The closed loop of the generator against a server of canned answers: refusals are waited for, failures are told apart.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { addressOfClient, type LoadJob } from '#load/client/load-job.ts';
import { runLoad } from '#load/client/run-load.ts';

const advertisement = '000eversion 2\n0000';
const listing = `0032${'a'.repeat(40)} HEAD\n0000`;

async function startServer(onInfoRefs: (address: string) => Record<string, string> | undefined) {
  const server: Server = createServer((request, response) => {
    const address = String(request.headers['x-forwarded-for']);
    const refusal = request.method === 'GET' ? onInfoRefs(address) : undefined;
    if (refusal) response.writeHead(429, refusal).end('full\n');
    else if (request.method === 'GET')
      response
        .writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
        .end(advertisement);
    else
      response
        .writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
        .end(listing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/bench/small.git`;
}

function jobFor(url: string, clients: number, operations: number): LoadJob {
  return {
    operation: 'raw-list',
    url,
    clients,
    ownAddresses: true,
    until: { operations },
    objects: 0,
    scratchDir: '/nowhere',
  };
}

it('gives every client an address of its own and counts each answer once', async () => {
  const addresses = new Set<string>();
  const url = await startServer((address) => void addresses.add(address));
  const sum = await runLoad(jobFor(url, 3, 30));
  expect(sum).toMatchObject({ refusals: 0, failures: 0 });
  expect(sum.durationsMs).toHaveLength(30);
  expect([...addresses].sort()).toEqual([0, 1, 2].map(addressOfClient));
});

it('waits after a refusal as long as Retry-After says', async () => {
  let asked = 0;
  const url = await startServer(() => {
    asked += 1;
    return asked > 1
      ? undefined
      : {
          'retry-after': '1',
          'x-warren-limit': 'git_http;reason=queue_full',
          'cache-control': 'no-store',
        };
  });
  const sum = await runLoad(jobFor(url, 1, 2));
  expect(sum).toMatchObject({ refusals: 1, malformedCount: 0, failures: 0 });
  expect(sum.durationsMs).toHaveLength(1);
  expect(sum.elapsedMs).toBeGreaterThanOrEqual(999);
});

it('names a refusal that breaks the contract', async () => {
  const url = await startServer(() => ({ 'retry-after': '1' }));
  const sum = await runLoad({ ...jobFor(url, 1, 1) });
  expect(sum).toMatchObject({ refusals: 1, malformed: ['X-Warren-Limit missing'] });
});
