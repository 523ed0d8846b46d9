// Finds the three programs of the peer and says in one sentence what to install when one is missing.

import { accessSync, constants } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

export type PeerPrograms = {
  readonly nginx: string;
  readonly fcgiwrap: string;
  readonly httpBackend: string;
};

/** @throws Error with the sentence. */
export function findPeerPrograms(): PeerPrograms {
  const nginx = findProgram('nginx');
  const fcgiwrap = findProgram('fcgiwrap');
  const execPath = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();
  const httpBackend = join(execPath, 'git-http-backend');
  if (!nginx || !fcgiwrap || !isExecutable(httpBackend))
    throw new Error(
      'The peer of this bench is git http-backend behind nginx and fcgiwrap: install them ' +
        '(Debian and Ubuntu: apt-get install --no-install-recommends nginx-light fcgiwrap) and run it again.',
    );
  return { nginx, fcgiwrap, httpBackend };
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
