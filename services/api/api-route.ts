// One route: its address, who may call it, what it takes and answers, and what it does. create-api.ts serves the routes
// and openapi.ts describes them, both from these declarations, so that neither can know more than the other.

import type { ErrorCode } from '#kernel/error-catalogue.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#model/actor.ts';
import type { AccountActor } from '#access/authenticate.ts';
import type { Page } from '#api/paging.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

export type ApiAnswer =
  | {
      readonly kind: 'ok';
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'problem';
      readonly code: ErrorCode;
      readonly detail?: string;
      /** Further members of the problem. */
      readonly more?: Readonly<Record<string, unknown>>;
    };

export type ApiRequest<A extends Actor = Actor> = {
  readonly ctx: Context;
  readonly actor: A;
  /** The value of a `{name}` in the path. */
  readonly param: (name: string) => string;
  readonly page: Page;
  /** What the route's schema accepted; text for YAML. */
  readonly body: unknown;
};

/** self: the account that the path names, or an operator. */
export type Who = 'anyone' | 'account' | 'self' | 'operator';

type Description = {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Below /api/v1, with `{name}` for what varies. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly isList?: boolean;
  readonly body?:
    { readonly type: 'json'; readonly schema: JsonSchema } | { readonly type: 'yaml' };
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    readonly text: string;
    readonly schema?: JsonSchema;
  };
  /** Problems beyond those that every route of its kind can answer. */
  readonly problems?: readonly (404 | 409 | 422)[];
};

export type Route =
  | (Description & {
      readonly who: 'anyone';
      readonly handle: (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>;
    })
  | (Description & {
      readonly who: Exclude<Who, 'anyone'>;
      readonly handle: (request: ApiRequest<AccountActor>) => ApiAnswer | Promise<ApiAnswer>;
    });

export function ok(body: unknown, headers: Readonly<Record<string, string>> = {}): ApiAnswer {
  return { kind: 'ok', body, headers };
}

export function problem(code: ErrorCode, detail?: string): ApiAnswer {
  return { kind: 'problem', code, ...(detail !== undefined && { detail }) };
}
