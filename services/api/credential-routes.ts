// Tokens and SSH keys of an account: its own, or anyone's for an operator. A token is in one answer only, that of
// its creation.

import type { AccountStore } from '#entity/account-store.ts';
import { answerOutcome } from '#api/answer-outcome.ts';
import { type ApiAnswer, ok, problem, type Route } from '#api/api-route.ts';
import { type Page, takePage } from '#api/paging.ts';
import { answerRef, bodySchema, listRef } from '#api/schemas.ts';

type NewToken = { name: string; readOnly?: boolean; expiresAt?: string };
type NewKey = { key: string; title?: string };

export function credentialRoutes(accounts: AccountStore): readonly Route[] {
  return [...tokenRoutes(accounts), ...keyRoutes(accounts)];
}

function tokenRoutes(accounts: AccountStore): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/accounts/{account}/tokens',
      operationId: 'listTokens',
      summary: 'The tokens of an account, without their secret.',
      who: 'self',
      isList: true,
      success: { status: 200, text: 'Oldest first.', schema: listRef('Token') },
      problems: [404],
      handle: ({ param, page }) => listOf(accounts.listTokens(param('account')), page),
    },
    {
      method: 'post',
      path: '/accounts/{account}/tokens',
      operationId: 'createToken',
      summary: 'Makes a token; the answer is the only place that shows it.',
      who: 'self',
      body: {
        type: 'json',
        schema: bodySchema(
          {
            name: { type: 'string' },
            readOnly: { type: 'boolean' },
            expiresAt: {
              type: 'string',
              pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?Z)?$',
              description: 'A date, or a time in UTC.',
            },
          },
          { required: ['name'] },
        ),
      },
      success: { status: 201, text: 'The token.', schema: answerRef('CreatedToken') },
      problems: [404, 409, 422],
      async handle({ ctx, actor, param, body }) {
        // The route's schema has accepted it.
        const { expiresAt, ...wanted } = body as NewToken;
        const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
        if (expiry !== undefined && !(expiry.getTime() > Date.now())) {
          return problem('INVALID', '"expiresAt" is not a time to come.');
        }
        const full = { ...wanted, ...(expiry !== undefined && { expiresAt: expiry }) };
        const outcome = await accounts.createToken(ctx, actor.name, param('account'), full);
        return answerOutcome(outcome, ok);
      },
    },
    {
      method: 'delete',
      path: '/accounts/{account}/tokens/{id}',
      operationId: 'revokeToken',
      summary: 'Revokes a token; it is refused from then on.',
      who: 'self',
      success: { status: 204, text: 'Revoked.' },
      problems: [404],
      async handle({ ctx, actor, param }) {
        const outcome = await accounts.revokeToken(ctx, actor.name, param('account'), param('id'));
        return answerOutcome(outcome, () => ok(undefined));
      },
    },
  ];
}

function keyRoutes(accounts: AccountStore): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/accounts/{account}/keys',
      operationId: 'listKeys',
      summary: 'The SSH keys of an account.',
      who: 'self',
      isList: true,
      success: { status: 200, text: 'Oldest first.', schema: listRef('Key') },
      problems: [404],
      handle: ({ param, page }) => listOf(accounts.listKeys(param('account')), page),
    },
    {
      method: 'post',
      path: '/accounts/{account}/keys',
      operationId: 'addKey',
      summary: 'Adds an SSH public key.',
      who: 'self',
      body: {
        type: 'json',
        schema: bodySchema(
          {
            key: { type: 'string', description: 'The line of the .pub file.' },
            title: { type: 'string', description: "The key's comment when it is not given." },
          },
          { required: ['key'] },
        ),
      },
      success: { status: 201, text: 'The key.', schema: answerRef('Key') },
      problems: [404, 409, 422],
      async handle({ ctx, actor, param, body }) {
        // The route's schema has accepted it.
        const { key: line, ...rest } = body as NewKey;
        const outcome = await accounts.addKey(ctx, actor.name, param('account'), { line, ...rest });
        return answerOutcome(outcome, ok);
      },
    },
    {
      method: 'delete',
      path: '/accounts/{account}/keys/{id}',
      operationId: 'removeKey',
      summary: 'Removes an SSH key; it is refused from then on.',
      who: 'self',
      success: { status: 204, text: 'Removed.' },
      problems: [404],
      async handle({ ctx, actor, param }) {
        const outcome = await accounts.removeKey(ctx, actor.name, param('account'), param('id'));
        return answerOutcome(outcome, () => ok(undefined));
      },
    },
  ];
}

type Dated = { readonly id: string; readonly createdAt: string };

function listOf(items: readonly Dated[] | undefined, page: Page): ApiAnswer {
  if (items === undefined) return problem('NOT_FOUND', 'There is no such account.');
  const keyOf = ({ createdAt, id }: Dated) => `${createdAt} ${id}`;
  const sorted = [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return ok(takePage(sorted, page, keyOf));
}
