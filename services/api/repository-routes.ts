// Repositories and sites as the actor may see them. What is hidden and what is absent take the same lines.

import type { CatalogState } from '#catalog/catalog.ts';
import { decideRead, roleOf } from '#access/authorize.ts';
import type { Actor } from '#model/actor.ts';
import type { RepositoryEntry, SiteEntry } from '#model/catalog-entry.ts';
import type { ApiDependencies } from '#api/api-dependencies.ts';
import { ok, problem, type Route } from '#api/api-route.ts';
import { takePage } from '#api/paging.ts';
import { answerRef, listRef } from '#api/schemas.ts';

type Dependencies = Pick<ApiDependencies, 'catalog' | 'describeRepository'>;

export function repositoryRoutes({ catalog, describeRepository }: Dependencies): readonly Route[] {
  const readIndex = createIndexReader(catalog);

  function view(actor: Actor, entry: RepositoryEntry) {
    const { namespace, name, path, spec } = entry;
    const { description, visibility, defaultBranch, archived } = spec;
    const role = roleOf(actor, entry);
    const about = { description, visibility, defaultBranch, archived, role };
    return { namespace, name, path, ...about, ...describeRepository(entry) };
  }

  return [
    {
      method: 'get',
      path: '/repositories',
      operationId: 'listRepositories',
      summary: 'The repositories you may read.',
      who: 'anyone',
      isList: true,
      success: {
        status: 200,
        text: 'Sorted by namespace and name.',
        schema: listRef('Repository'),
      },
      handle({ actor, page }) {
        const isShown = (entry: RepositoryEntry) => decideRead(actor, entry) === 'allowed';
        const { items, next } = takePage(readIndex().repositories, page, ({ id }) => id, isShown);
        return ok({ items: items.map((entry) => view(actor, entry)), next });
      },
    },
    {
      method: 'get',
      path: '/repositories/{namespace}/{name}',
      operationId: 'getRepository',
      summary: 'One repository.',
      who: 'anyone',
      success: { status: 200, text: 'The repository.', schema: answerRef('Repository') },
      problems: [404],
      handle({ actor, param }) {
        const entry = readIndex().byId.get(`${param('namespace')}/${param('name')}`);
        // decideRead takes what is absent too: one way, whichever it is.
        const isAllowed = decideRead(actor, entry) === 'allowed';
        return isAllowed && entry !== undefined ? ok(view(actor, entry)) : problem('NOT_FOUND');
      },
    },
    {
      method: 'get',
      path: '/sites',
      operationId: 'listSites',
      summary: 'The sites of repositories you may read.',
      who: 'anyone',
      isList: true,
      success: { status: 200, text: 'Sorted by namespace and name.', schema: listRef('Site') },
      handle({ actor, page }) {
        const { sites, byId } = readIndex();
        const isShown = ({ namespace, spec }: SiteEntry) =>
          decideRead(actor, byId.get(`${namespace}/${spec.repository}`)) === 'allowed';
        const { items, next } = takePage(sites, page, siteKey, isShown);
        return ok({ items: items.map(viewSite), next });
      },
    },
  ];
}

type Index = {
  readonly repositories: readonly RepositoryEntry[];
  readonly byId: ReadonlyMap<string, RepositoryEntry>;
  readonly sites: readonly SiteEntry[];
};

/** Sorts once for each state of the catalog, not for each request. */
function createIndexReader(catalog: Dependencies['catalog']): () => Index {
  let of: CatalogState | undefined;
  let index: Index = { repositories: [], byId: new Map(), sites: [] };
  return () => {
    const state = catalog.state();
    if (state === of) return index;
    const byId = new Map([...state.repositories.values()].map((entry) => [entry.id, entry]));
    const repositories = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const sites = [...state.sites].sort((a, b) => (siteKey(a) < siteKey(b) ? -1 : 1));
    of = state;
    index = { repositories, byId, sites };
    return index;
  };
}

function siteKey({ namespace, name }: SiteEntry): string {
  return `${namespace}/${name}`;
}

function viewSite({ namespace, name, spec }: SiteEntry) {
  const { repository, ref, directory, hosts, access } = spec;
  return { namespace, name, repository, ref, directory, hosts, access };
}
