// `warren get`: repositories and sites, as a table, or as JSON or YAML for scripts.

import { suggestName } from '#catalog/closest-name.ts';
import { isForgeError } from '#kernel/forge-error.ts';
import type { RepositoryState } from '#model/repository-state.ts';
import type { ApiClient } from '#entry/commands/api-client.ts';
import {
  type Command,
  type CommandIo,
  done,
  failed,
  type Given,
  jsonOption,
  printJson,
  usage,
  type UsageOutcome,
} from '#entry/commands/command.ts';
import { chooseStyle, renderTable, type TableRow } from '#entry/commands/render-table.ts';
import { readObjectName } from '#entry/commands/object-name.ts';

export type RepositoryView = {
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly visibility: string;
  readonly defaultBranch: string;
  readonly archived: boolean;
  readonly role: string;
  readonly url: { readonly http: string; readonly ssh: string };
  readonly state: RepositoryState;
};
type SiteView = {
  readonly namespace: string;
  readonly name: string;
  readonly repository: string;
  readonly ref?: string;
  readonly hosts: readonly string[];
  readonly access: string;
};

type Objects = 'repositories' | 'sites';

const kindWords: Readonly<Record<string, Objects | undefined>> = {
  repositories: 'repositories',
  repository: 'repositories',
  repos: 'repositories',
  repo: 'repositories',
  sites: 'sites',
  site: 'sites',
};
const formats: readonly string[] = ['table', 'json', 'yaml', 'name'];

export const getCommand: Command = {
  name: 'get',
  summary: 'Shows repositories or sites: all you may read, or one.',
  positionals: [
    { name: 'KIND', text: 'repositories or sites (repo and site do as well).' },
    {
      name: 'NAME',
      isOptional: true,
      text: 'namespace/name of one object; without "/", the namespace is "default".',
    },
  ],
  options: [
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      text: 'table (what you see without it), json, yaml or name (one namespace/name a line).',
    },
    { ...jsonOption, text: 'The same as -o json: {"items": […]}, or the one object.' },
  ],
  examples: [
    'warren get repositories',
    'warren get repo team/project --json',
    'warren get sites -o name',
  ],
  async run({ io, given, connect }) {
    const wish = readWish(given);
    if (wish.kind === 'usage') return wish;
    const { objects, format, id } = wish;
    const client = await connect();
    const items = await readItems(client, objects, id);
    if (items.length === 0 && id !== undefined) {
      const noun = objects === 'sites' ? 'site' : 'repository';
      return failed(`There is no ${noun} ${id} that you may read.`);
    }
    if (id !== undefined && format !== 'table') await printValue(io, format, items[0]);
    else await printItems(io, { objects, format, items });
    return done;
  },
};

type Wish = {
  readonly kind: 'wish';
  readonly objects: Objects;
  readonly format: string;
  /** Undefined: all of them. */
  readonly id: string | undefined;
};

function readWish(given: Given): Wish | UsageOutcome {
  const word = given.positional('KIND');
  const objects = kindWords[word.toLowerCase()];
  if (objects === undefined) {
    return usage(`There is no kind "${word}"${suggestName(word, Object.keys(kindWords)) || '.'}`);
  }
  const format = given.has('json') ? 'json' : (given.option('output') ?? 'table');
  if (!formats.includes(format)) return usage(`-o takes ${formats.join(', ')}, not "${format}".`);
  const name = given.positional('NAME');
  if (name === '') return { kind: 'wish', objects, format, id: undefined };
  const wanted = readObjectName(name);
  if (wanted.kind === 'wrong') return usage(wanted.sentence);
  return { kind: 'wish', objects, format, id: wanted.id };
}

type Item = RepositoryView | SiteView;

function idOf({ namespace, name }: Item): string {
  return `${namespace}/${name}`;
}

async function readItems(
  client: ApiClient,
  objects: Objects,
  id: string | undefined,
): Promise<readonly Item[]> {
  if (objects === 'repositories' && id !== undefined) {
    try {
      return [await client.get<RepositoryView>(`/repositories/${id}`)];
    } catch (error) {
      if (isForgeError(error, 'NOT_FOUND')) return [];
      throw error;
    }
  }
  const items: Item[] = await client.list<Item>(`/${objects}`);
  return id === undefined ? items : items.filter((item) => idOf(item) === id);
}

type Listing = {
  readonly objects: Objects;
  readonly format: string;
  readonly items: readonly Item[];
};

async function printItems(io: CommandIo, { objects, format, items }: Listing): Promise<void> {
  if (format === 'table') printTable(io, objects, items);
  else if (format === 'name') for (const item of items) await printValue(io, format, item);
  else await printValue(io, format, { items });
}

async function printValue(
  io: CommandIo,
  format: string,
  value: Item | undefined | { readonly items: readonly Item[] },
): Promise<void> {
  if (format === 'json') printJson(io, value);
  else if (format === 'yaml') io.stdout.write((await import('yaml')).stringify(value));
  else if (value !== undefined && 'name' in value) io.stdout.write(`${idOf(value)}\n`);
}

function printTable(io: CommandIo, objects: Objects, items: readonly Item[]): void {
  if (items.length === 0) {
    io.stderr.write(`There are no ${objects} that you may read.\n`);
    return;
  }
  const style = chooseStyle(io.stdout, io.env);
  const headings =
    objects === 'sites'
      ? ['NAME', 'REPOSITORY', 'REF', 'ACCESS', 'HOSTS']
      : ['NAME', 'PATH', 'VISIBILITY', 'ROLE', 'STATE', 'CLONE'];
  io.stdout.write(renderTable(headings, items.map(rowOf), { style }));
}

function rowOf(item: Item): TableRow {
  if ('repository' in item) {
    const { repository, ref = '', access, hosts } = item;
    return [idOf(item), repository, ref, access, hosts.join(', ')];
  }
  const { path, visibility, role, url } = item;
  return [idOf(item), path, visibility, role, describeState(item), url.http];
}

function describeState({ state, archived }: RepositoryView): string {
  if (state.kind === 'failed') return `failed: ${state.sentence}`;
  if (state.kind === 'preparing') return `preparing: ${state.progress}`;
  return archived ? `${state.kind}, archived` : state.kind;
}
