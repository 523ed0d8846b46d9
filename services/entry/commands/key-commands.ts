// `warren key`: SSH public keys. A private key is recognised and never leaves the machine.

import { type Command, done, failed, jsonOption, printJson } from '#entry/commands/command.ts';
import { readInput } from '#entry/commands/read-input.ts';
import { chooseStyle, renderTable } from '#entry/commands/render-table.ts';
import { accountOf, accountOption } from '#entry/commands/token-commands.ts';
import { accountPath } from '#entry/commands/user-commands.ts';

type Key = {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly fingerprint: string;
  readonly createdAt: string;
};

const addCommand: Command = {
  name: 'key add',
  summary: 'Adds an SSH public key to an account.',
  positionals: [{ name: 'FILE', text: 'The .pub file, or - for standard input.' }],
  options: [
    accountOption,
    { name: 'title', value: 'TEXT', text: "What it is called; the key's comment when not given." },
    jsonOption,
  ],
  examples: [
    'warren key add ~/.ssh/id_ed25519.pub',
    'ssh-add -L | head -1 | warren key add - --title agent',
  ],
  async run(call) {
    const { io, given, connect } = call;
    const { name, text } = await readInput(io, given.positional('FILE'));
    if (text.includes('PRIVATE KEY')) {
      return failed(`${name} is a private key, which stays where it is: give the .pub beside it.`);
    }
    const lines = text.split(/\r?\n/).filter((line) => !/^\s*(#|$)/.test(line));
    const [line = ''] = lines;
    if (lines.length !== 1)
      return failed(`${name} holds ${lines.length} keys: give one at a time.`);
    const client = await connect();
    const account = await accountOf(call, client);
    const title = given.option('title');
    const key = await client.send<Key>('POST', `${accountPath(account)}/keys`, {
      key: line.trim(),
      ...(title !== undefined && { title }),
    });
    if (given.has('json')) printJson(io, key);
    else io.stdout.write(`key ${key.id} of ${account} added: ${key.type} ${key.fingerprint}\n`);
    return done;
  },
};

const listCommand: Command = {
  name: 'key list',
  summary: 'Shows the SSH keys of an account.',
  options: [accountOption, jsonOption],
  examples: ['warren key list', 'warren key list --account mary --json'],
  async run(call) {
    const { io, given, connect } = call;
    const client = await connect();
    const account = await accountOf(call, client);
    const items = await client.list<Key>(`${accountPath(account)}/keys`);
    if (given.has('json')) {
      printJson(io, { items });
    } else if (items.length === 0) {
      io.stderr.write(`${account} has no SSH keys.\n`);
    } else {
      const rows = items.map(({ id, title, type, fingerprint, createdAt }) => [
        id,
        title,
        type,
        fingerprint,
        createdAt,
      ]);
      const headings = ['ID', 'TITLE', 'TYPE', 'FINGERPRINT', 'CREATED'];
      io.stdout.write(renderTable(headings, rows, { style: chooseStyle(io.stdout, io.env) }));
    }
    return done;
  },
};

const removeCommand: Command = {
  name: 'key remove',
  summary: 'Removes an SSH key: it is refused within a second.',
  positionals: [{ name: 'ID', text: 'As "warren key list" shows it.' }],
  options: [accountOption],
  examples: ['warren key remove 3f9c21d0', 'warren key remove 3f9c21d0 --account mary'],
  async run(call) {
    const { io, given, connect } = call;
    const client = await connect();
    const account = await accountOf(call, client);
    const id = given.positional('ID');
    await client.send('DELETE', `${accountPath(account)}/keys/${encodeURIComponent(id)}`);
    io.stdout.write(`key ${id} of ${account} removed\n`);
    return done;
  },
};

export const keyCommands: readonly Command[] = [addCommand, listCommand, removeCommand];
