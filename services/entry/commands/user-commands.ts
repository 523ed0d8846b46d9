// `warren user`: accounts. Operators add and disable them; everyone sets their own password.

import {
  type Command,
  type CommandCall,
  type CommandOutcome,
  done,
  failed,
  jsonOption,
  printJson,
} from '#entry/commands/command.ts';
import { readPassword } from '#entry/commands/read-input.ts';
import { chooseStyle, renderTable } from '#entry/commands/render-table.ts';
import type { User } from '#entry/commands/whoami-command.ts';

export type Account = {
  readonly name: string;
  readonly operator: boolean;
  readonly disabled: boolean;
  readonly groups: readonly string[];
  readonly hasPassword: boolean;
  readonly createdAt: string;
};

const namePositional = { name: 'NAME', text: "The account's name." };
const passwordOption = {
  name: 'password-stdin',
  text: 'Reads the password from standard input.',
};

const addCommand: Command = {
  name: 'user add',
  summary: 'Adds an account.',
  details: [
    'It can sign in once it has a password or a token: see "warren token create --account NAME".',
  ],
  positionals: [
    {
      name: 'NAME',
      text: 'Up to 39 lower-case letters, digits and "-".',
    },
  ],
  options: [
    { name: 'operator', text: 'It may do everything, as the first account may.' },
    { name: 'group', value: 'GROUP', isRepeatable: true, text: 'A group it is in.' },
    passwordOption,
    jsonOption,
  ],
  examples: [
    'warren user add mary --group developers',
    'pass show mary | warren user add mary --password-stdin',
  ],
  async run({ io, given, connect }) {
    const name = given.positional('NAME');
    const secret = given.has('password-stdin') ? await readPassword(io, true) : undefined;
    if (secret !== undefined && 'problem' in secret) return failed(secret.problem);
    const client = await connect();
    const account = await client.send<Account>('POST', '/accounts', {
      name,
      ...(given.has('operator') && { operator: true }),
      ...(given.has('group') && { groups: given.options('group') }),
      ...secret,
    });
    if (given.has('json')) printJson(io, account);
    else io.stdout.write(`account ${account.name} created\n`);
    return done;
  },
};

const listCommand: Command = {
  name: 'user list',
  summary: 'Shows all accounts.',
  options: [jsonOption],
  examples: ['warren user list', 'warren user list --json'],
  async run({ io, given, connect }) {
    const client = await connect();
    const items = await client.list<Account>('/accounts');
    if (given.has('json')) {
      printJson(io, { items });
      return done;
    }
    const rows = items.map((account) => [
      account.name,
      account.operator ? 'operator' : 'user',
      account.disabled ? 'disabled' : 'active',
      account.groups.join(', '),
      account.hasPassword ? 'yes' : 'no',
      account.createdAt,
    ]);
    const headings = ['NAME', 'KIND', 'STATE', 'GROUPS', 'PASSWORD', 'CREATED'];
    io.stdout.write(renderTable(headings, rows, { style: chooseStyle(io.stdout, io.env) }));
    return done;
  },
};

const disableCommand: Command = {
  name: 'user disable',
  summary: 'Shuts an account out: its tokens, keys and password are refused at once.',
  details: ['Nothing of it is deleted; "warren user enable" lets it in again.'],
  positionals: [namePositional],
  options: [jsonOption],
  examples: ['warren user disable mary'],
  run: (call) => setDisabled(call, true),
};

const enableCommand: Command = {
  name: 'user enable',
  summary: 'Lets a disabled account in again.',
  positionals: [namePositional],
  options: [jsonOption],
  examples: ['warren user enable mary'],
  run: (call) => setDisabled(call, false),
};

async function setDisabled(
  { io, given, connect }: CommandCall,
  disabled: boolean,
): Promise<CommandOutcome> {
  const client = await connect();
  const path = accountPath(given.positional('NAME'));
  const account = await client.send<Account>('PATCH', path, { disabled });
  if (given.has('json')) printJson(io, account);
  else io.stdout.write(`account ${account.name} ${disabled ? 'disabled' : 'enabled'}\n`);
  return done;
}

const passwordCommand: Command = {
  name: 'user passwd',
  summary: "Sets a password: your own, or another account's for an operator.",
  details: ['It is asked for on a terminal, without showing it, or read from standard input.'],
  positionals: [{ name: 'NAME', isOptional: true, text: 'The account; your own when not given.' }],
  options: [passwordOption, jsonOption],
  examples: ['warren user passwd', 'pass show mary | warren user passwd mary --password-stdin'],
  async run({ io, given, connect }) {
    const client = await connect();
    const own = given.positional('NAME');
    const name = own === '' ? (await client.get<User>('/user')).name : own;
    const secret = await readPassword(io, given.has('password-stdin'));
    if ('problem' in secret) return failed(secret.problem);
    const account = await client.send<Account>('PATCH', accountPath(name), secret);
    if (given.has('json')) printJson(io, account);
    else io.stdout.write(`password of ${account.name} set\n`);
    return done;
  },
};

/** Of an account, below /api/v1. */
export function accountPath(name: string): string {
  return `/accounts/${encodeURIComponent(name)}`;
}

export const userCommands: readonly Command[] = [
  addCommand,
  listCommand,
  disableCommand,
  enableCommand,
  passwordCommand,
];
