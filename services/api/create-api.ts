// The api: an Express app over the routes. transport's router calls what createApi returns with the raw request, whose
// slot of http_requests it holds; the routes ask entity, catalog and what else entry has wired in.
// The order of the steps of one request is fixed in serve(), each with its reason.

import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import type { Context } from '#kernel/context.ts';
import { isForgeError } from '#kernel/forge-error.ts';
import { type Actor, anonymous } from '#model/actor.ts';
import { accountRoutes } from '#api/account-routes.ts';
import type { ApiDependencies } from '#api/api-dependencies.ts';
import { type ApiAnswer, type ApiRequest, ok, type Route } from '#api/api-route.ts';
import { type BodyCheck, createBodyCheck } from '#api/check-body.ts';
import { credentialRoutes } from '#api/credential-routes.ts';
import { refusalForActor } from '#api/refusal-for-actor.ts';
import { buildOpenApi } from '#api/openapi.ts';
import { operatorRoutes } from '#api/operator-routes.ts';
import { readPage } from '#api/paging.ts';
import {
  buildProblem,
  type Problem,
  problemOfError,
  problemOfRefusal,
  sendJson,
  sendProblem,
} from '#api/problem.ts';
import { readBody } from '#api/read-body.ts';
import { repositoryRoutes } from '#api/repository-routes.ts';
import { openRequestContext } from '#api/request-context.ts';

const base = '/api/v1';

/** Every route, that of the document included. */
export function createRoutes(deps: ApiDependencies): readonly Route[] {
  const routes: Route[] = [
    ...repositoryRoutes(deps),
    ...operatorRoutes(deps),
    ...accountRoutes(deps.accounts),
    ...credentialRoutes(deps.accounts),
    {
      method: 'get',
      path: '/openapi.json',
      operationId: 'getDescription',
      summary: 'This description.',
      who: 'anyone',
      success: { status: 200, text: 'An OpenAPI 3.1 document.', schema: { type: 'object' } },
      handle: () => ok(document),
    },
  ];
  const document = buildOpenApi(routes);
  return routes;
}

/** Answers everything below /api/v1, errors included: the caller adds nothing to the response. */
export function createApi(
  deps: ApiDependencies,
): (request: IncomingMessage, response: ServerResponse) => void {
  const app: Express = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing');
  app.enable('case sensitive routing');
  const routes = createRoutes(deps);
  for (const [path, methods] of Map.groupBy(routes, (route) => route.path)) {
    mountPath(app, `${base}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, methods, deps);
  }
  app.use((_request, response: ServerResponse) => sendProblem(response, buildProblem('NOT_FOUND')));
  app.use((error: unknown, _: IncomingMessage, response: ServerResponse, _next: unknown) =>
    answerError(deps, response, error),
  );
  return app;
}

function mountPath(
  app: Express,
  path: string,
  routes: readonly Route[],
  deps: ApiDependencies,
): void {
  const at = app.route(path);
  for (const route of routes) {
    const { body } = route;
    const check = body?.type === 'json' ? createBodyCheck(body.schema) : () => undefined;
    at[route.method](async (request, response) => {
      const context = openRequestContext(response, deps.log);
      const call = { route, check, request, response, ctx: context.ctx, params: request.params };
      try {
        answer(route, response, await serve(deps, call));
      } finally {
        context[Symbol.dispose]();
      }
    });
  }
  const allowed = routes.map(({ method }) => method.toUpperCase());
  if (allowed.includes('GET')) allowed.push('HEAD');
  at.all((_request, response) => {
    const refused = buildProblem('METHOD_NOT_ALLOWED');
    sendProblem(response, { ...refused, headers: { allow: allowed.join(', ') } });
  });
}

type Call = {
  readonly route: Route;
  readonly check: BodyCheck;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly ctx: Context;
  readonly params: Readonly<Record<string, string | string[]>>;
};

async function serve(deps: ApiDependencies, call: Call): Promise<ApiAnswer | Problem> {
  const { route, check, request, response, ctx, params } = call;
  const param = (name: string) => String(params[name] ?? '');
  // 1. Who asks: wrong credentials are refused even where none are needed, or a typo would look like missing rights.
  const signedIn = await deps.authenticator.authenticateHttp(ctx, request.headers.authorization);
  if (signedIn.kind === 'invalid') {
    return buildProblem('UNAUTHENTICATED', 'These credentials are not valid.');
  }
  const actor: Actor = signedIn.kind === 'authenticated' ? signedIn.actor : anonymous;
  // 2. Whether they may: before anything of the request is read or looked up.
  const forbidden = refusalForActor(route, actor, param('account'));
  if (forbidden !== undefined) return forbidden;
  // 3. How often they may: a change costs several git processes.
  const refusal = route.method === 'get' ? undefined : deps.admitWrite?.(actor);
  if (refusal !== undefined) return problemOfRefusal(refusal);
  // 4. What they ask.
  const query = new URL(request.url ?? '', 'http://localhost').searchParams;
  const read = readPage(query, route.isList === true);
  if (!read.ok) return buildProblem('BAD_REQUEST', read.sentence);
  const body =
    route.body === undefined
      ? ({ ok: true, value: undefined } as const)
      : await readBody(request, response, route.body);
  if (!body.ok) return body.problem;
  const mistake = check(body.value);
  if (mistake !== undefined) return buildProblem('BAD_REQUEST', mistake);
  // 5. The work. refusalForActor has let only accounts past where the route says so.
  const handle = route.handle as (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>;
  return handle({ ctx, actor, param, page: read.page, body: body.value });
}

function answer(route: Route, response: ServerResponse, given: ApiAnswer | Problem): void {
  if (!('kind' in given)) {
    sendProblem(response, given);
  } else if (given.kind === 'problem') {
    sendProblem(response, buildProblem(given.code, given.detail, given.more));
  } else {
    sendJson(response, route.success.status, given.body, given.headers);
  }
}

function answerError(deps: ApiDependencies, response: ServerResponse, error: unknown): void {
  const known = problemOfError(error);
  if (known === undefined) deps.log.error('an api request failed', { error });
  if (response.destroyed || response.headersSent || isForgeError(error, 'CANCELLED')) {
    response.destroy();
    return;
  }
  sendProblem(response, known ?? buildProblem('INTERNAL'));
}
