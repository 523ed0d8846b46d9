// isomorphic-git as a client on the command line; run by test/clients, which says what each operation must do:
//   clone URL FOLDER [DEPTH] · fetch FOLDER [DEPTH] · push FOLDER BRANCH, with the token in GIT_CLIENT_TOKEN.
// What it throws goes to stderr as a person would see it.

import fs from 'node:fs';
import { clone, fetch, push } from 'isomorphic-git';
import http from 'isomorphic-git/http/node';

const [operation = '', ...args] = process.argv.slice(2);
const password = process.env['GIT_CLIENT_TOKEN'];
const common = {
  fs,
  http,
  // Without onAuthFailure a refused token is an error at once.
  ...(password === undefined ? {} : { onAuth: () => ({ username: 'x', password }) }),
  onMessage: (text: string) => void process.stderr.write(`remote: ${text}`),
};

async function run(): Promise<void> {
  switch (operation) {
    case 'clone': {
      const [url = '', dir = '', depth] = args;
      await clone({ ...common, url, dir, ...depthOf(depth) });
      return;
    }
    case 'fetch': {
      const [dir = '', depth] = args;
      await fetch({ ...common, dir, remote: 'origin', ...depthOf(depth) });
      return;
    }
    case 'push': {
      const [dir = '', ref = ''] = args;
      await push({ ...common, dir, remote: 'origin', ref, remoteRef: `refs/heads/${ref}` });
      return;
    }
    default:
      throw new Error(`no operation ${operation}`);
  }
}

function depthOf(depth: string | undefined): { depth?: number } {
  return depth === undefined ? {} : { depth: Number(depth) };
}

try {
  await run();
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
}
