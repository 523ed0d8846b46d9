// Accounts: who am I, list, add, change. Operators administer all; everyone may set their own password.

import type { AccountStore } from '#entity/account-store.ts';
import { ok, problem, type Route } from '#api/api-route.ts';
import { answerOutcome } from '#api/answer-outcome.ts';
import { takePage } from '#api/paging.ts';
import { answerRef, bodySchema, listRef } from '#api/schemas.ts';

const groups = { type: 'array', items: { type: 'string' } };

type NewAccount = { name: string; operator?: boolean; groups?: string[]; password?: string };
type AccountPatch = { password?: string; disabled?: boolean; groups?: string[] };

export function accountRoutes(accounts: AccountStore): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/user',
      operationId: 'getUser',
      summary: 'Who you are signed in as.',
      who: 'account',
      success: { status: 200, text: 'Your account.', schema: answerRef('User') },
      handle({ actor }) {
        const { name, operator, groups: own, readOnly = false } = actor;
        return ok({ name, operator, groups: own, readOnly });
      },
    },
    {
      method: 'get',
      path: '/accounts',
      operationId: 'listAccounts',
      summary: 'All accounts.',
      who: 'operator',
      isList: true,
      success: { status: 200, text: 'Sorted by name.', schema: listRef('Account') },
      handle: ({ page }) => ok(takePage(accounts.listAccounts(), page, ({ name }) => name)),
    },
    {
      method: 'post',
      path: '/accounts',
      operationId: 'addAccount',
      summary: 'Adds an account.',
      who: 'operator',
      body: {
        type: 'json',
        schema: bodySchema(
          {
            name: { type: 'string' },
            operator: { type: 'boolean' },
            groups,
            password: { type: 'string' },
          },
          { required: ['name'] },
        ),
      },
      success: { status: 201, text: 'The account.', schema: answerRef('Account') },
      problems: [409, 422],
      async handle({ ctx, actor, body }) {
        // The route's schema has accepted it.
        const outcome = await accounts.addAccount(ctx, actor.name, body as NewAccount);
        return answerOutcome(outcome, ok);
      },
    },
    {
      method: 'patch',
      path: '/accounts/{account}',
      operationId: 'changeAccount',
      summary: 'Sets the password, the groups, or whether the account is disabled.',
      who: 'self',
      body: {
        type: 'json',
        schema: bodySchema(
          { password: { type: 'string' }, disabled: { type: 'boolean' }, groups },
          { minProperties: 1 },
        ),
      },
      success: { status: 200, text: 'The account.', schema: answerRef('Account') },
      problems: [404, 409, 422],
      async handle({ ctx, actor, param, body }) {
        // The route's schema has accepted it.
        const patch = body as AccountPatch;
        if (!actor.operator && (patch.disabled !== undefined || patch.groups !== undefined)) {
          return problem('FORBIDDEN', 'Only an operator changes groups or disables an account.');
        }
        const outcome = await accounts.changeAccount(ctx, actor.name, param('account'), patch);
        return answerOutcome(outcome, ok);
      },
    },
  ];
}
