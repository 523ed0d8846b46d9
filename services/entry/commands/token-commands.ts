// `warren token`: what programs and git sign in with. A new token is the only thing on stdout, so that a script can
// capture it; nothing shows it again.

import {
  type Command,
  type CommandCall,
  done,
  jsonOption,
  printJson,
  usage,
} from '#entry/commands/command.ts';
import type { ApiClient } from '#entry/commands/api-client.ts';
import { readExpiry } from '#entry/commands/read-expiry.ts';
import { chooseStyle, renderTable } from '#entry/commands/render-table.ts';
import { accountPath } from '#entry/commands/user-commands.ts';
import type { User } from '#entry/commands/whoami-command.ts';

type Token = {
  readonly id: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
};

export const accountOption = {
  name: 'account',
  value: 'NAME',
  text: 'Whose; your own when not given.',
};

const createCommand: Command = {
  name: 'token create',
  summary: 'Makes a token and prints it: the only time that it is shown.',
  details: ['Git takes it as the password, with any user name; programs as Authorization: Bearer.'],
  options: [
    accountOption,
    { name: 'name', value: 'TEXT', text: 'What it is for; "command line" when not given.' },
    { name: 'read-only', text: 'It may read what the account may read, and change nothing.' },
    {
      name: 'expires',
      value: 'WHEN',
      text: 'After a time such as 12h or 30d, or on a date such as 2027-01-31; never when not given.',
    },
    jsonOption,
  ],
  examples: [
    'warren token create --name laptop',
    'token=$(warren token create --account ci --name build --read-only --expires 90d)',
  ],
  async run(call) {
    const { io, given, connect } = call;
    const expires = given.option('expires');
    const expiresAt = expires === undefined ? undefined : readExpiry(expires, Date.now());
    if (expires !== undefined && expiresAt === undefined) {
      return usage(`--expires takes a time to come: 12h, 30d or a date, not "${expires}".`);
    }
    const client = await connect();
    const account = await accountOf(call, client);
    const made = await client.send<Token & { token: string }>(
      'POST',
      `${accountPath(account)}/tokens`,
      {
        name: given.option('name') ?? 'command line',
        ...(given.has('read-only') && { readOnly: true }),
        ...(expiresAt !== undefined && { expiresAt }),
      },
    );
    if (given.has('json')) {
      printJson(io, made);
      return done;
    }
    io.stdout.write(`${made.token}\n`);
    const until = made.expiresAt === null ? 'does not expire' : `expires ${made.expiresAt}`;
    io.stderr.write(
      `This token of ${account} is shown once; it ${until}. Revoke it with: warren token revoke ${made.id}${flagOf(call)}\n`,
    );
    return done;
  },
};

const listCommand: Command = {
  name: 'token list',
  summary: 'Shows the tokens of an account, without their secret.',
  options: [accountOption, jsonOption],
  examples: ['warren token list', 'warren token list --account ci --json'],
  async run(call) {
    const { io, given, connect } = call;
    const client = await connect();
    const account = await accountOf(call, client);
    const items = await client.list<Token>(`${accountPath(account)}/tokens`);
    if (given.has('json')) {
      printJson(io, { items });
    } else if (items.length === 0) {
      io.stderr.write(`${account} has no tokens.\n`);
    } else {
      const rows = items.map(({ id, name, readOnly, createdAt, expiresAt }) => [
        id,
        name,
        readOnly ? 'read' : 'everything',
        createdAt,
        expiresAt ?? 'never',
      ]);
      const headings = ['ID', 'NAME', 'MAY', 'CREATED', 'EXPIRES'];
      io.stdout.write(renderTable(headings, rows, { style: chooseStyle(io.stdout, io.env) }));
    }
    return done;
  },
};

const revokeCommand: Command = {
  name: 'token revoke',
  summary: 'Revokes a token: it is refused within a second.',
  positionals: [{ name: 'ID', text: 'As "warren token list" shows it.' }],
  options: [accountOption],
  examples: ['warren token revoke 3f9c21d0', 'warren token revoke 3f9c21d0 --account ci'],
  async run(call) {
    const { io, given, connect } = call;
    const client = await connect();
    const account = await accountOf(call, client);
    const id = given.positional('ID');
    await client.send('DELETE', `${accountPath(account)}/tokens/${encodeURIComponent(id)}`);
    io.stdout.write(`token ${id} of ${account} revoked\n`);
    return done;
  },
};

/** The account that --account names, else that of whoever asks. */
export async function accountOf({ given }: CommandCall, client: ApiClient): Promise<string> {
  return given.option('account') ?? (await client.get<User>('/user')).name;
}

function flagOf({ given }: CommandCall): string {
  const account = given.option('account');
  return account === undefined ? '' : ` --account ${account}`;
}

export const tokenCommands: readonly Command[] = [createCommand, listCommand, revokeCommand];
