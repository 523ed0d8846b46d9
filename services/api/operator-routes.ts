// What only operators do: apply manifests, import repositories, look at the limits.
// An import goes on by itself; the one who started it asks how far it is, so a lost connection loses nothing and a
// progress bar is a loop of GETs.

import type { ApiDependencies, ImportRequest } from '#api/api-dependencies.ts';
import { ok, problem, type Route } from '#api/api-route.ts';
import { takePage } from '#api/paging.ts';
import { answerRef, bodySchema, listRef } from '#api/schemas.ts';

type Dependencies = Pick<ApiDependencies, 'applyManifests' | 'readLimits' | 'imports'>;
type NewImport = {
  source: string;
  repository: string;
  visibility?: NonNullable<ImportRequest['visibility']>;
};

export function operatorRoutes(deps: Dependencies): readonly Route[] {
  const { imports } = deps;
  return [
    {
      method: 'post',
      path: '/manifests',
      operationId: 'applyManifests',
      summary: 'Applies manifests: all of them, or none when one is wrong.',
      who: 'operator',
      body: { type: 'yaml' },
      success: { status: 200, text: 'What became of each.', schema: answerRef('Applied') },
      problems: [422],
      async handle({ ctx, body }) {
        const outcome = await deps.applyManifests(ctx, String(body));
        if (outcome.kind === 'applied') return ok({ objects: outcome.objects });
        const { problems } = outcome;
        const detail = problems.map(({ line, sentence }) => `line ${line}: ${sentence}`).join('; ');
        return { kind: 'problem', code: 'MANIFEST_INVALID', detail, more: { problems } };
      },
    },
    {
      method: 'get',
      path: '/limits',
      operationId: 'listLimits',
      summary: 'Every limit, with its present use.',
      who: 'operator',
      isList: true,
      success: { status: 200, text: 'Sorted by name.', schema: listRef('Limit') },
      async handle({ page }) {
        const rows = await deps.readLimits();
        const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
        return ok(takePage(sorted, page, ({ name }) => name));
      },
    },
    {
      method: 'post',
      path: '/imports',
      operationId: 'startImport',
      summary: 'Begins to import a repository from an address, or from a path on the server.',
      who: 'operator',
      body: {
        type: 'json',
        schema: bodySchema(
          {
            source: { type: 'string', minLength: 1, maxLength: 2000 },
            repository: { type: 'string', pattern: '^[^/]+/[^/]+$', maxLength: 200 },
            visibility: { type: 'string', enum: ['public', 'internal', 'private'] },
          },
          { required: ['source', 'repository'] },
        ),
      },
      success: {
        status: 202,
        text: 'Begun; Location is its address.',
        schema: answerRef('Import'),
      },
      problems: [409, 422],
      async handle({ ctx, actor, body }) {
        // The route's schema has accepted it.
        const { source, repository, ...rest } = body as NewImport;
        const [namespace = '', name = ''] = repository.split('/');
        const started = await imports.start(ctx, actor.name, { source, namespace, name, ...rest });
        if (started.kind === 'refused') return problem(started.code, started.sentence);
        const { progress } = started;
        return ok(progress, { location: `/api/v1/imports/${progress.id}` });
      },
    },
    {
      method: 'get',
      path: '/imports/{id}',
      operationId: 'getImport',
      summary: 'How far an import is.',
      who: 'operator',
      success: { status: 200, text: 'Its progress.', schema: answerRef('Import') },
      problems: [404],
      handle({ param }) {
        const progress = imports.find(param('id'));
        return progress === undefined ? problem('NOT_FOUND') : ok(progress);
      },
    },
  ];
}
