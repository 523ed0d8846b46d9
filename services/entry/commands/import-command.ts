// `warren import`: asks the server to fetch a repository, and shows how far it is until it is done. The import goes on
// without this command; its end is then seen by `warren get`.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { sleep } from '#kernel/abort.ts';
import { isForgeError } from '#kernel/forge-error.ts';
import type { ImportProgress } from '#api/api-dependencies.ts';
import { type ApiClient, makeSentence } from '#entry/commands/api-client.ts';
import {
  type Command,
  type CommandIo,
  done,
  failed,
  jsonOption,
  printJson,
  usage,
} from '#entry/commands/command.ts';
import type { RepositoryView } from '#entry/commands/get-command.ts';
import { readObjectName } from '#entry/commands/object-name.ts';
import { createProgressDisplay } from '#entry/commands/progress-display.ts';

const pollMs = 150;
const visibilities: readonly string[] = ['public', 'internal', 'private'];

export const importCommand: Command = {
  name: 'import',
  summary: 'Brings a repository from another server or a folder into this one.',
  details: [
    'Progress goes to stderr and the clone address to stdout. Ctrl-C ends the command, not the import: "warren get repositories NAME" shows how far it is.',
  ],
  positionals: [
    {
      name: 'SOURCE',
      text: 'An https, ssh, git or file address, or a folder that the server can read.',
    },
    { name: 'NAME', text: 'namespace/name to have; without "/", the namespace is "default".' },
  ],
  options: [
    {
      name: 'visibility',
      value: 'WHO',
      text: 'public, internal or private (what it is when not given).',
    },
    jsonOption,
  ],
  examples: [
    'warren import https://example.org/some/project.git team/project',
    'warren import ../old-project project --visibility public',
  ],
  async run({ io, given, connect }) {
    const wanted = readObjectName(given.positional('NAME'));
    if (wanted.kind === 'wrong') return usage(wanted.sentence);
    const visibility = given.option('visibility');
    if (visibility !== undefined && !visibilities.includes(visibility)) {
      return usage(`--visibility takes ${visibilities.join(', ')}, not "${visibility}".`);
    }
    const source = readSource(given.positional('SOURCE'), io.cwd);
    if (source.kind === 'wrong') return usage(source.sentence);
    const client = await connect();
    if (client.server.isLocal && source.isPath && !existsSync(source.address)) {
      return failed(`There is no folder ${source.address}.`);
    }
    const started = await client.send<ImportProgress>('POST', '/imports', {
      source: source.address,
      repository: wanted.id,
      ...(visibility !== undefined && { visibility }),
    });
    const ended = await follow(client, io, started);
    if (ended.state === 'failed') {
      const why = ended.sentence ?? 'the server does not say why';
      return failed(makeSentence(`${wanted.id} was not imported: ${why}`));
    }
    const repository = await client.get<RepositoryView>(`/repositories/${wanted.id}`);
    if (given.has('json')) {
      printJson(io, repository);
    } else {
      io.stderr.write(`Imported ${wanted.id}. Clone it with: git clone ${repository.url.http}\n`);
      io.stdout.write(`${repository.url.http}\n`);
    }
    return done;
  },
};

export type ImportSource =
  | { readonly kind: 'source'; readonly address: string; readonly isPath: boolean }
  | { readonly kind: 'wrong'; readonly sentence: string };

/** A path becomes absolute: the server works in another folder. */
export function readSource(text: string, cwd: string): ImportSource {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    return { kind: 'source', address: text, isPath: false };
  }
  // As git does: a colon before any slash is a host's.
  const scp = /^([^/:]+@[^/:]+):(.+)$/.exec(text);
  if (scp === null) return { kind: 'source', address: resolve(cwd, text), isPath: true };
  const [, host = '', path = ''] = scp;
  return {
    kind: 'wrong',
    sentence: `Write this address as ssh://${host}/${path.replace(/^\//, '')}.`,
  };
}

/** Polls until it has ended; what a lost connection interrupts goes on, so reads are tried again by the client. */
async function follow(
  client: ApiClient,
  io: CommandIo,
  started: ImportProgress,
): Promise<ImportProgress> {
  const display = createProgressDisplay(io.stderr);
  let progress = started;
  try {
    while (progress.state === 'running') {
      display.show(progress);
      await sleep(pollMs, io.signal);
      progress = await client.get<ImportProgress>(`/imports/${started.id}`);
    }
    return progress;
  } catch (error) {
    display.clear();
    if (isForgeError(error, 'CANCELLED')) {
      io.stderr.write(`The import goes on; see "warren get repositories ${started.repository}".\n`);
    }
    throw error;
  } finally {
    display.clear();
  }
}
