// SSH metrics: how connections end up, and commands by outcome. Declared here, counted by ssh-server and ssh-session.

import { Counter, type Registry } from '#kernel/metrics.ts';

export const connectionOutcomes = [
  'served',
  'refused',
  'unauthenticated',
  'timed_out',
  'failed',
] as const;
export type ConnectionOutcome = (typeof connectionOutcomes)[number];

export const commandRoutes = [
  'ssh-upload-pack',
  'ssh-receive-pack',
  'ssh-upload-archive',
  'ssh-other',
] as const;
export type CommandRoute = (typeof commandRoutes)[number];

export const commandOutcomes = ['ok', 'refused', 'failed', 'client_gone'] as const;
export type CommandOutcome = (typeof commandOutcomes)[number];

export type SshMonitor = {
  connectionEnded(outcome: ConnectionOutcome): void;
  commandEnded(route: CommandRoute, outcome: CommandOutcome): void;
};

export function createSshMetrics(registry: Registry): SshMonitor {
  const registers = [registry];
  const connections = new Counter({
    name: 'warren_ssh_connections_total',
    help: 'Ended SSH connections: served (signed in), refused (ssh_connections), unauthenticated, timed_out, failed',
    labelNames: ['outcome'],
    registers,
  });
  const commands = new Counter({
    name: 'warren_ssh_commands_total',
    help: 'Ended SSH commands; refused: by a limit, by rights or because it is no git command',
    labelNames: ['route', 'outcome'],
    registers,
  });
  for (const outcome of connectionOutcomes) connections.inc({ outcome }, 0);
  for (const route of commandRoutes) {
    for (const outcome of commandOutcomes) commands.inc({ route, outcome }, 0);
  }
  return {
    connectionEnded: (outcome) => connections.inc({ outcome }),
    commandEnded: (route, outcome) => commands.inc({ route, outcome }),
  };
}
