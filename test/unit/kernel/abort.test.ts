// Every abort listener is removed again, whichever way the wait ends.

import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { linkAbort, onAbort, raceAbort, sleep } from '#kernel/abort.ts';
import { isForgeError } from '#kernel/forge-error.ts';
import { eventually } from '#support/eventually.ts';

function listenersOf(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

const never = new Promise<never>(() => {});

describe('onAbort', () => {
  test('calls once with the reason, and is gone after', () => {
    const controller = new AbortController();
    const reasons: unknown[] = [];
    using _ = onAbort(controller.signal, (reason) => reasons.push(reason));
    controller.abort('first');
    controller.abort('second');
    expect(reasons).toEqual(['first']);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  test('calls at once when it has been aborted already', () => {
    const reasons: unknown[] = [];
    using _ = onAbort(AbortSignal.abort('before'), (reason) => reasons.push(reason));
    expect(reasons).toEqual(['before']);
  });

  test('calls no more once it is disposed', () => {
    const controller = new AbortController();
    const listening = onAbort(controller.signal, () => expect.unreachable());
    expect(listenersOf(controller.signal)).toBe(1);
    listening[Symbol.dispose]();
    controller.abort();
    expect(listenersOf(controller.signal)).toBe(0);
  });
});

describe('linkAbort', () => {
  test('follows its parent with the same reason', () => {
    const parent = new AbortController();
    using linked = linkAbort(parent.signal);
    const reason = new Error('gone');
    parent.abort(reason);
    expect(linked.signal.reason).toBe(reason);
  });

  test('its own abort does not reach the parent, and disposing removes the listener', () => {
    const parent = new AbortController();
    {
      using linked = linkAbort(parent.signal, 60_000);
      linked.abort('own');
      expect(linked.signal.aborted).toBe(true);
    }
    expect(parent.signal.aborted).toBe(false);
    expect(listenersOf(parent.signal)).toBe(0);
  });

  test('aborts with DEADLINE when the time is over', async () => {
    using linked = linkAbort(new AbortController().signal, 5);
    await eventually('the deadline', () => linked.signal.aborted);
    expect(isForgeError(linked.signal.reason, 'DEADLINE')).toBe(true);
  });
});

describe('sleep', () => {
  test('resolves after the time and listens no more', async () => {
    const { signal } = new AbortController();
    await sleep(1, signal);
    expect(listenersOf(signal)).toBe(0);
  });

  test('rejects with the reason when aborted, at once when aborted before', async () => {
    const controller = new AbortController();
    const sleeping = sleep(60_000, controller.signal);
    const reason = new Error('stop');
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(sleep(60_000, controller.signal)).rejects.toBe(reason);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  test('a reason that is no error becomes CANCELLED', async () => {
    await expect(sleep(60_000, AbortSignal.abort('text'))).rejects.toMatchObject({
      code: 'CANCELLED',
    });
  });
});

describe('raceAbort', () => {
  test.each([
    ['a value', () => Promise.resolve(7), { value: 7 }],
    ['a failure', () => Promise.reject(new Error('own')), { message: 'own' }],
  ])('settles with %s and listens no more', async (_, start, expected) => {
    const { signal } = new AbortController();
    const settled = await raceAbort<number>(start(), signal).then(
      (value) => ({ value }),
      ({ message }: Error) => ({ message }),
    );
    expect(settled).toEqual(expected);
    expect(listenersOf(signal)).toBe(0);
  });

  test('rejects with the reason of an abort that comes first', async () => {
    const controller = new AbortController();
    const racing = raceAbort(never, controller.signal);
    const reason = new Error('gone');
    controller.abort(reason);
    await expect(racing).rejects.toBe(reason);
    await expect(raceAbort(never, controller.signal)).rejects.toBe(reason);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  test('a failure after the abort is nobody’s unhandled rejection', async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    await expect(raceAbort(promise, AbortSignal.abort())).rejects.toThrow();
    reject(new Error('late'));
    await sleep(5, new AbortController().signal);
  });
});
