// `warren serve`: one process with the services it is told to run. Wiring and life cycle only: start in order, say
// ready, wait for a signal, drain, close in reverse. Called by warren.ts.

import { parseArgs } from 'node:util';
import { limitSettings } from '#admission/limit-settings.ts';
import { CloseStack } from '#kernel/close-stack.ts';
import { type Environment, readConfig } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import { createLog, type Log } from '#kernel/log.ts';
import * as settings from '#kernel/settings.ts';
import type { Readiness } from '#transport/admin-server.ts';
import { createCore } from '#entry/core.ts';
import { openDataDirectory } from '#entry/data-directory.ts';
import { drain } from '#entry/drain.ts';
import { listenForStop } from '#entry/signals.ts';
import { startServices } from '#entry/start-services.ts';
import { renderGreeting, renderReadyLine, type StartFacts } from '#entry/start-message.ts';
import { formatForTerminal } from '#entry/terminal-log.ts';

export type ServeIo = {
  readonly env: Environment;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
};

/**
 * Runs until a signal ends it.
 * @returns the exit code.
 * @throws ForgeError for anything that prevents the start; everything begun is closed again.
 */
export async function serve(args: readonly string[], io: ServeIo): Promise<number> {
  const services = parseServices(args);
  const config = readConfig(io.env, [...settings.baseSettings, ...limitSettings]);
  const log = createServerLog(io, config.get(settings.logLevel));
  using stop = listenForStop();
  const closing = new CloseStack();
  const life = new AbortController();
  const background: Context = { signal: life.signal, log };
  // Children and requests end first, then what they stand on.
  try {
    const dataDirectory = await openDataDirectory(
      config.get(settings.dataDir) ?? './data',
      services,
      log,
    );
    closing.defer('data directory', () => dataDirectory[Symbol.dispose]());
    const core = await createCore(
      {
        config,
        dataDir: dataDirectory.path,
        background,
        parentEnv: io.env,
        creates: services.includes('transport'),
      },
      closing,
    );
    const readiness: Readiness = { ready: false, reason: 'starting' };
    const facts = await startServices(core, { services, readiness }, closing);
    announce(facts, io);
    readiness.ready = true;
    readiness.reason = 'ready';
    const { http, ssh, admin } = facts.addresses;
    log.info('ready', { services, http, ssh, admin });
    const signal = await stop.first;
    log.info('stopping', { signal });
    const timeoutMs = config.get(settings.drainTimeout);
    const { admission } = core;
    await drain(background, { admission, readiness, timeoutMs, hurry: stop.hurry });
    life.abort(new ForgeError('SHUTTING_DOWN'));
    await closing.close();
    log.info('stopped');
    return 0;
  } catch (error) {
    life.abort(new ForgeError('SHUTTING_DOWN'));
    await closing.close();
    throw error;
  }
}

/** @throws CONFIG_INVALID for a service that does not exist. */
function parseServices(args: readonly string[]): readonly settings.ServiceName[] {
  const { values } = parseArgs({
    args: [...args],
    options: { services: { type: 'string' } },
    strict: true,
  });
  if (values.services === undefined) return settings.serviceNames;
  const wanted = values.services.split(',').map((name) => name.trim());
  const known = settings.serviceNames.filter((name) => wanted.includes(name));
  if (known.length > 0 && wanted.every((name) => settings.serviceNames.some((s) => s === name))) {
    return known;
  }
  const sentence = `--services takes a list of ${settings.serviceNames.join(', ')}, not "${values.services}"`;
  throw new ForgeError('CONFIG_INVALID', { problems: [sentence], sentence });
}

function createServerLog(io: ServeIo, level: Parameters<typeof createLog>[1]): Log {
  const format = io.stderr.isTTY ? formatForTerminal : (line: string) => line;
  return createLog((line) => io.stderr.write(`${format(line)}\n`), level);
}

function announce(facts: StartFacts, io: ServeIo): void {
  const text = io.stdout.isTTY ? renderGreeting(facts) : renderReadyLine(facts);
  io.stdout.write(`${text}\n`);
}
