// `warren whoami`: whom the server takes this command's token for.

import { type Command, done, jsonOption, printJson } from '#entry/commands/command.ts';

export type User = {
  readonly name: string;
  readonly operator: boolean;
  readonly groups: readonly string[];
  readonly readOnly: boolean;
};

export const whoamiCommand: Command = {
  name: 'whoami',
  summary: 'Says which account you are, and at which server.',
  options: [jsonOption],
  examples: ['warren whoami', 'WARREN_URL=https://git.example.org warren whoami --json'],
  async run({ io, given, connect }) {
    const client = await connect();
    const user = await client.get<User>('/user');
    const { origin } = client.server.url;
    if (given.has('json')) printJson(io, { ...user, url: origin });
    else io.stdout.write(`${describeUser(user)} at ${origin}\n`);
    return done;
  },
};

function describeUser({ name, operator, groups, readOnly }: User): string {
  const about = [
    ...(operator ? ['operator'] : []),
    ...(groups.length > 0 ? [`groups ${groups.join(', ')}`] : []),
    ...(readOnly ? ['read-only token'] : []),
  ];
  return about.length === 0 ? name : `${name} (${about.join('; ')})`;
}
