// Proves that a test left nothing behind: children, open files and sockets, listeners, temporary files.
// What is there when watching starts is allowed; what is new must be gone soon after the test's own clean-up.

import { getEventListeners, type EventEmitter } from 'node:events';
import { readdir } from 'node:fs/promises';
import { eventually } from '#support/eventually.ts';
import { descendantsOf, openFiles } from '#support/process-table.ts';

export type LeakOptions = {
  /** The process to watch; this one when not given. */
  readonly pid?: number;
  /** Signals and emitters whose listeners must be gone again, by name. */
  readonly listeners?: Readonly<Record<string, EventTarget | EventEmitter>>;
  /** Event names looked at on them. */
  readonly events?: readonly string[];
  /** A folder in which no new temporary file may stay. */
  readonly directory?: string;
  /** What counts as temporary in it, by path from it; git's and ours when not given. */
  readonly isLeftover?: (path: string) => boolean;
  readonly withinMs?: number;
};

export type LeakWatch = AsyncDisposable & {
  /** Throws with a list of everything new that did not go within the time. */
  check(): Promise<void>;
};

/** Declare it first, so that it is disposed last: `await using leaks = await watchLeaks()`. */
export async function watchLeaks(options: LeakOptions = {}): Promise<LeakWatch> {
  const before = await takeSnapshot(options);
  async function check(): Promise<void> {
    closeIdleFetchConnections();
    let news: string[] = [];
    await eventually(
      'nothing is left',
      async () => {
        news = findNews(before, await takeSnapshot(options));
        return news.length === 0;
      },
      options.withinMs ?? 3000,
    ).catch(() => {
      throw new Error(`left behind:\n  ${news.join('\n  ')}`);
    });
  }
  return { check, [Symbol.asyncDispose]: check };
}

const processEvents = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit', 'beforeExit', 'warning'];
const temporary =
  /(^|\/)(tmp_[^/]*|tmp-[^/]*|incoming-[^/]*|quarantine[^/]*|[^/]*\.lock|[^/]*\.tmp|[^/]*\.keep)(\/|$)/;

/** Counts by description: two sockets are one line with 2. */
type Snapshot = ReadonlyMap<string, number>;

async function takeSnapshot(options: LeakOptions): Promise<Snapshot> {
  const counts = new Map<string, number>();
  const add = (what: string, count = 1) => counts.set(what, (counts.get(what) ?? 0) + count);
  for (const child of descendantsOf(options.pid ?? process.pid)) {
    add(`process ${child.pid} ${child.name}${child.state === 'Z' ? ' (zombie)' : ''}`);
  }
  for (const file of openFiles(options.pid)) add(`open ${file.replace(/:\[\d+\]$/, '')}`);
  for (const event of processEvents) add(`process listener ${event}`, process.listenerCount(event));
  for (const [name, target] of Object.entries(options.listeners ?? {})) {
    for (const event of options.events ?? ['abort', 'close', 'error', 'data']) {
      add(`listener ${event} of ${name}`, getEventListeners(target, event).length);
    }
  }
  for (const path of await listLeftovers(options)) add(`file ${path}`);
  return counts;
}

async function listLeftovers({ directory, isLeftover }: LeakOptions): Promise<string[]> {
  if (directory === undefined) return [];
  const paths = await readdir(directory, { recursive: true });
  return paths.filter(isLeftover ?? ((path) => temporary.test(path)));
}

function findNews(before: Snapshot, after: Snapshot): string[] {
  return [...after]
    .map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const)
    .filter(([, more]) => more > 0)
    .map(([what, more]) => (more === 1 ? what : `${what} (${more} times)`));
}

type Dispatcher = { close(): Promise<void>; constructor: new () => Dispatcher };

/** fetch keeps idle connections for seconds: they are no leak, but look like one on both sides. */
function closeIdleFetchConnections(): void {
  const key = Symbol.for('undici.globalDispatcher.1');
  // Node keeps fetch's connection pool under this well-known symbol; nothing public closes it.
  const holder = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
  const dispatcher = holder[key];
  if (dispatcher === undefined) return;
  holder[key] = new dispatcher.constructor();
  void dispatcher.close().catch(() => {});
}
