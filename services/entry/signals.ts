// SIGTERM and SIGINT as promises: the first begins the drain, one that comes more than a second later hastens it
// (a supervisor and a terminal often both send one).

export type StopSignals = Disposable & {
  readonly first: Promise<NodeJS.Signals>;
  readonly hurry: AbortSignal;
};

const sameWithinMs = 1000;

export function listenForStop(): StopSignals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const hurry = new AbortController();
  let firstAtMs: number | undefined;
  const listener = (signal: NodeJS.Signals) => {
    firstAtMs ??= performance.now();
    if (performance.now() - firstAtMs > sameWithinMs) hurry.abort();
    resolve(signal);
  };
  process.on('SIGTERM', listener);
  process.on('SIGINT', listener);
  return {
    first: promise,
    hurry: hurry.signal,
    [Symbol.dispose]() {
      process.off('SIGTERM', listener);
      process.off('SIGINT', listener);
    },
  };
}
