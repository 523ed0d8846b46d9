// The api and pages as functions of a request: called in process, or behind a Unix socket when they run in another
// process of the pod. The code on both sides is the same.

import { createApi } from '#api/create-api.ts';
import type { Actor } from '#model/actor.ts';
import type { RepositoryEntry } from '#model/catalog-entry.ts';
import { classifyClient } from '#model/client-class.ts';
import { answerPage } from '#page/overview-page.ts';
import type { GitExchange } from '#transport/git-exchange.ts';
import type { Context } from '#kernel/context.ts';
import { readListedRefs } from '#transport/read-listed-refs.ts';
import type { Addresses } from '#entry/addresses.ts';
import type { Core } from '#entry/core.ts';
import { createImportJobs } from '#entry/import-jobs.ts';
import { readLimitRows } from '#entry/limit-rows.ts';

export type ServiceHandler = (
  ctx: Context,
  exchange: Pick<GitExchange, 'request' | 'response' | 'actor'>,
) => Promise<void>;

/** The metadata service: /api/v1. */
export function createApiHandler(core: Core, addresses: () => Addresses): ServiceHandler {
  const { catalog, repositories, background, admission, registry } = core;
  const applyManifests: Parameters<typeof createApi>[0]['applyManifests'] = async (ctx, text) => {
    const outcome = await catalog.apply(ctx, { text, file: 'manifest' });
    if (outcome.kind === 'refused') return outcome;
    const objects = outcome.objects.map(({ result, ...object }) => ({
      ...object,
      outcome: result,
    }));
    return { kind: 'applied', objects };
  };
  const api = createApi({
    log: background.log,
    authenticator: core.authenticator,
    accounts: core.accounts,
    catalog,
    describeRepository: (entry) => ({
      url: repositoryUrls(addresses(), entry),
      state: repositories.stateOf(entry.id) ?? { kind: 'preparing', progress: 'waiting' },
    }),
    applyManifests,
    readLimits: () => readLimitRows(admission, registry),
    imports: createImportJobs({
      background,
      applyManifests,
      isKnown: (id) => [...catalog.state().repositories.values()].some((entry) => entry.id === id),
      stateOf: (id) => repositories.stateOf(id),
      reconcile: () => repositories.reconcile(background, catalog.state().repositories.values()),
    }),
    admitWrite: (actor: Actor) =>
      actor.kind === 'account'
        ? admission.apiRate.take(`account:${actor.name}`, classifyClient(actor, 'write'))
        : undefined,
  });
  return async (_ctx, { request, response }) => {
    const over = new Promise<void>((resolve) => response.once('close', () => resolve()));
    api(request, response);
    await over;
  };
}

/** The pages service. */
export function createPageHandler(core: Core, addresses: () => Addresses): ServiceHandler {
  const { catalog, repositories, snapshots, admission } = core;
  const sources: Parameters<typeof answerPage>[1] = {
    listRepositories: () => catalog.state().repositories.values(),
    findRepository: (path) => catalog.state().repositories.get(path),
    stateOf: (id) => repositories.stateOf(id),
    addressesOf: (entry) => repositoryUrls(addresses(), entry),
    async readRefs(ctx, entry, actor) {
      const state = repositories.stateOf(entry.id);
      if (state?.kind !== 'ready') return undefined;
      const refs = await readListedRefs(
        ctx,
        { snapshots, admission, background: core.background },
        {
          gitDir: repositories.directoryOf(entry.id),
          refFormat: state.refFormat,
          class: classifyClient(actor, 'cheap'),
        },
      );
      return 'refs' in refs ? refs : undefined;
    },
  };
  return async (ctx, { request, response, actor }) => {
    const path = pathOf(request.url ?? '/');
    const { status, body } = await answerPage(ctx, sources, { path, actor });
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'private, no-cache',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      ...(status === 503 ? { 'retry-after': '5' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

export function repositoryUrls(
  addresses: Pick<Addresses, 'http' | 'ssh'>,
  { path }: Pick<RepositoryEntry, 'path'>,
): { readonly http: string; readonly ssh: string } {
  return { http: `${addresses.http}/${path}.git`, ssh: `${addresses.ssh}/${path}.git` };
}

/** Repository paths hold nothing that needs escapes: a path with one names no page. */
function pathOf(target: string): string {
  return target.split('?')[0] ?? '/';
}
