// Every command of `warren`, in the order of the help. A new command is one more line here.

import { applyCommand } from '#entry/commands/apply-command.ts';
import type { Command, CommandGroup } from '#entry/commands/command.ts';
import { getCommand } from '#entry/commands/get-command.ts';
import { importCommand } from '#entry/commands/import-command.ts';
import { keyCommands } from '#entry/commands/key-commands.ts';
import { limitsCommand } from '#entry/commands/limits-command.ts';
import { serveCommand } from '#entry/commands/serve-command.ts';
import { tokenCommands } from '#entry/commands/token-commands.ts';
import { userCommands } from '#entry/commands/user-commands.ts';
import { whoamiCommand } from '#entry/commands/whoami-command.ts';

export const commands: readonly Command[] = [
  serveCommand,
  applyCommand,
  getCommand,
  importCommand,
  limitsCommand,
  whoamiCommand,
  ...userCommands,
  ...tokenCommands,
  ...keyCommands,
];

export const commandGroups: readonly CommandGroup[] = [
  { name: 'user', summary: 'Accounts: add, list, disable, enable, set a password.' },
  { name: 'token', summary: 'Tokens that programs and git sign in with: create, list, revoke.' },
  { name: 'key', summary: 'SSH keys: add, list, remove.' },
];
