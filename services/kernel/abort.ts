// The only file that adds abort listeners, so that each is removed again.

import { ForgeError } from '#kernel/forge-error.ts';

/** Runs `act` when the signal aborts (at once if it has); dispose to stop listening. */
export function onAbort(signal: AbortSignal, act: (reason: unknown) => void): Disposable {
  const listener = () => act(signal.reason);
  if (signal.aborted) {
    listener();
    return { [Symbol.dispose]: () => {} };
  }
  signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
}

export type LinkedAbort = Disposable & {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
};

/** A controller that also follows `parent`, and aborts with DEADLINE after `timeoutMs` when given. */
export function linkAbort(parent: AbortSignal, timeoutMs?: number): LinkedAbort {
  const controller = new AbortController();
  const listening = onAbort(parent, (reason) => controller.abort(reason));
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => controller.abort(new ForgeError('DEADLINE', { timeoutMs })), timeoutMs);
  timer?.unref();
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    [Symbol.dispose]() {
      clearTimeout(timer);
      listening[Symbol.dispose]();
    },
  };
}

/** Resolves after `delayMs`; rejects with the signal's reason when it aborts first. */
export function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      listening[Symbol.dispose]();
      resolve();
    }, delayMs);
    const listening = onAbort(signal, (reason) => {
      clearTimeout(timer);
      reject(reason instanceof Error ? reason : new ForgeError('CANCELLED'));
    });
  });
}

/** Settles like `promise`, or rejects with the signal's reason if that comes first. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let listening: Disposable | undefined;
  const aborted = new Promise<never>((_, reject) => {
    listening = onAbort(signal, (reason) =>
      reject(reason instanceof Error ? reason : new ForgeError('CANCELLED')),
    );
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    listening?.[Symbol.dispose]();
  }
}
