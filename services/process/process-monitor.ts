// What start-child tells about each child; metrics.ts implements it, tests use the silent one.

/** A closed label set: the git subcommand, or other. */
export type CommandLabel =
  | 'upload-pack'
  | 'pack-objects'
  | 'receive-pack'
  | 'upload-archive'
  | 'for-each-ref'
  | 'cat-file'
  | 'fetch'
  | 'other';

export type ExitOutcome = 'ok' | 'error' | 'oom' | 'deadline' | 'client_gone' | 'signal';

export type ProcessMonitor = {
  started(command: CommandLabel): void;
  ended(command: CommandLabel, outcome: ExitOutcome, durationSeconds: number): void;
  /** A group outlived its KILL: a defunct member nobody reaps. */
  defunct(): void;
};

export const silentProcessMonitor: ProcessMonitor = {
  started() {},
  ended() {},
  defunct() {},
};
