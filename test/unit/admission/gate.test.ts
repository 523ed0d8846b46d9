// The gate: exact at its bound, first come first served, and nobody waits for a slot that is free.

import { describe, expect, test } from 'vitest';
import { setImmediate as tick } from 'node:timers/promises';
import type { AdmissionRequest } from '#admission/admission-request.ts';
import { ConcurrencyLimit, type LimitKey } from '#admission/concurrency-limit.ts';
import { type ConcurrencyDefinition, defineLimit } from '#admission/define-limit.ts';
import { Gate, type Permit } from '#admission/gate.ts';
import type { LimitMode, LimitMonitor } from '#admission/limit-monitor.ts';
import type { Refusal } from '#admission/refusal.ts';
import { createFakeClock, type FakeClock } from '#support/fake-clock.ts';
import { createTestContext } from '#support/test-context.ts';

type Setup = { slots?: number; client?: number; queue?: number; waitMs?: number; mode?: LimitMode };
type Counted = {
  admitted: Record<string, number>;
  refused: string[];
  waited: string[];
  cancelled: number;
};

function makeGate({ slots = 2, client, queue = 0, waitMs = 1000, mode = 'enforce' }: Setup = {}) {
  const clock = createFakeClock();
  const counted: Counted = { admitted: {}, refused: [], waited: [], cancelled: 0 };
  const monitor: LimitMonitor = {
    admitted: (limit) => void (counted.admitted[limit] = (counted.admitted[limit] ?? 0) + 1),
    refused: (limit, _class, reason, how) => void counted.refused.push(`${limit} ${reason} ${how}`),
    waited: (_limit, outcome) => void counted.waited.push(outcome),
    held: () => {},
    cancelled: () => void counted.cancelled++,
  };
  const pod = makeLimit({ name: 'pod', scope: 'pod', slots, mode, clock }, () => ({
    key: 'pod',
    slots,
  }));
  const own =
    client === undefined
      ? undefined
      : makeLimit(
          { name: 'client', scope: 'client', slots: client, mode, clock },
          ({ clientKey }) => ({ key: clientKey, slots: client }),
        );
  const gate = new Gate({
    limits: own === undefined ? [pod] : [pod, own],
    queueSlots: queue,
    waitMs,
    monitor,
    clock,
    random: () => 0.5,
  });
  return { gate, clock, counted, pod, own };
}

function makeLimit(
  {
    name,
    scope,
    slots,
    mode,
    clock,
  }: { name: string; scope: 'pod' | 'client'; slots: number; mode: LimitMode; clock: FakeClock },
  keyOf: (request: AdmissionRequest) => LimitKey,
): ConcurrencyLimit {
  const definition: ConcurrencyDefinition = defineLimit({
    name,
    kind: 'concurrency',
    slots,
    scope,
    classes: ['auth_read'],
    reasons: scope === 'client' ? ['client_share'] : ['queue_full', 'queue_timeout', 'shutdown'],
    bounds: `${name}s`,
    atBound: '',
  });
  return new ConcurrencyLimit({ definition, slots, mode, clock, keyOf });
}

const of = (clientKey: string): AdmissionRequest => ({ class: 'auth_read', clientKey });
const ctx = createTestContext();
const isPermit = (outcome: Permit | Refusal): outcome is Permit => outcome.kind === 'admitted';

/** The permit; fails the test when it is a refusal. */
function permitOf(outcome: Permit | Refusal): Permit {
  if (!isPermit(outcome)) throw new Error(outcome.sentence);
  return outcome;
}

describe('without a queue', () => {
  test.each([1, 2, 16])('of N, N+1 and 10 N requests exactly %s are admitted', async (slots) => {
    for (const asked of [slots, slots + 1, slots * 10]) {
      const { gate, counted, pod } = makeGate({ slots });
      const outcomes = await Promise.all(
        Array.from({ length: asked }, (_, at) => gate.acquire(ctx, of(`c${at}`))),
      );
      const permits = outcomes.filter(isPermit);
      expect(permits).toHaveLength(Math.min(asked, slots));
      expect(counted.refused).toHaveLength(Math.max(0, asked - slots));
      for (const permit of permits) permit.release();
      expect(pod.inUse).toBe(0);
    }
  });

  test('a refusal names the limit, the reason and when to come back', async () => {
    const { gate } = makeGate({ slots: 1 });
    await gate.acquire(ctx, of('a'));
    expect(await gate.acquire(ctx, of('b'))).toEqual({
      kind: 'refused',
      limit: 'pod',
      scope: 'pod',
      reason: 'queue_full',
      retryAfterSeconds: 1,
      sentence: 'pods are limited to 1 (pod); try again in 1 s',
    });
  });

  test('a permit is given back once, however often it is released', async () => {
    const { gate, pod } = makeGate({ slots: 2 });
    const first = permitOf(await gate.acquire(ctx, of('a')));
    await gate.acquire(ctx, of('b'));
    first.release();
    first.release();
    expect(pod.inUse).toBe(1);
  });

  test("a client's full share is refused by its own limit and leaves the others' slots alone", async () => {
    const { gate, counted, own } = makeGate({ slots: 3, client: 1 });
    permitOf(await gate.acquire(ctx, of('a')));
    expect(await gate.acquire(ctx, of('a'))).toMatchObject({
      limit: 'client',
      reason: 'client_share',
    });
    permitOf(await gate.acquire(ctx, of('b'))).release();
    expect(counted.refused).toEqual(['client client_share enforce']);
    expect(own?.trackedKeys).toBe(1);
  });
});

describe('with a queue', () => {
  test('the first to come is the first to go in', async () => {
    const { gate } = makeGate({ slots: 1, queue: 3 });
    const running = permitOf(await gate.acquire(ctx, of('x')));
    const order: string[] = [];
    const waiting = ['a', 'b', 'c'].map(async (name) => {
      const permit = permitOf(await gate.acquire(ctx, of(name)));
      order.push(name);
      permit.release();
    });
    expect(gate.queue().waiting.map(({ clientKey }) => clientKey)).toEqual(['a', 'b', 'c']);
    running.release();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b', 'c']);
  });

  test('past the queue it is refused at once, and after the wait by reason queue_timeout', async () => {
    const { gate, clock, counted } = makeGate({ slots: 1, queue: 1 });
    const running = permitOf(await gate.acquire(ctx, of('x')));
    const waiter = gate.acquire(ctx, of('a'));
    expect(await gate.acquire(ctx, of('b'))).toMatchObject({ reason: 'queue_full' });
    clock.advance(1000);
    expect(await waiter).toMatchObject({ reason: 'queue_timeout' });
    expect(gate.queue().waiting).toEqual([]);
    running.release();
    expect(counted.waited.toSorted()).toEqual(['admitted', 'refused']);
    expect(clock.pending).toBe(0);
  });

  test('a release and the time-out at one moment make one outcome', async () => {
    for (const releaseFirst of [true, false]) {
      const { gate, clock, pod } = makeGate({ slots: 1, queue: 1 });
      const running = permitOf(await gate.acquire(ctx, of('x')));
      const waiter = gate.acquire(ctx, of('a'));
      if (releaseFirst) running.release();
      clock.advance(1000);
      if (!releaseFirst) running.release();
      const outcome = await waiter;
      expect(outcome.kind).toBe(releaseFirst ? 'admitted' : 'refused');
      expect(pod.inUse).toBe(releaseFirst ? 1 : 0);
    }
  });

  test('who leaves while waiting is out at once and takes nothing', async () => {
    const { gate, counted, clock, pod } = makeGate({ slots: 1, queue: 2 });
    const running = permitOf(await gate.acquire(ctx, of('x')));
    const leaving = createTestContext();
    const waiter = gate.acquire(leaving, of('a'));
    leaving.abort(new Error('left'));
    await expect(waiter).rejects.toThrow('left');
    expect([gate.queue().waiting.length, counted.cancelled, clock.pending]).toEqual([0, 1, 0]);
    running.release();
    expect(pod.inUse).toBe(0);
    await expect(gate.acquire(leaving, of('a'))).rejects.toThrow('left');
  });

  test('who leaves while it runs is counted when its slot comes back, once', async () => {
    const { gate, counted, pod } = makeGate({ slots: 1 });
    const leaving = createTestContext();
    const permit = permitOf(await gate.acquire(leaving, of('a')));
    leaving.abort(new Error('left'));
    expect([pod.inUse, counted.cancelled]).toEqual([1, 0]);
    permit.release();
    permit.release();
    expect([pod.inUse, counted.cancelled]).toEqual([0, 1]);
  });

  test('a client that waits for its own share keeps nobody else waiting', async () => {
    const { gate } = makeGate({ slots: 3, client: 1, queue: 2 });
    permitOf(await gate.acquire(ctx, of('a')));
    const waiter = gate.acquire(ctx, of('a'));
    permitOf(await gate.acquire(ctx, of('b')));
    expect(gate.queue().waiting).toHaveLength(1);
    expect(await gate.acquire(ctx, of('a'))).toMatchObject({ reason: 'client_share' });
    expect(gate.queue().waiting).toHaveLength(1);
    void waiter;
  });

  test('a waiter that needs both slots of a permit is not passed by one that needs one of them', async () => {
    const { gate } = makeGate({ slots: 2, client: 1, queue: 4 });
    const first = permitOf(await gate.acquire(ctx, of('a')));
    permitOf(await gate.acquire(ctx, of('b')));
    const order: string[] = [];
    for (const name of ['a', 'c']) void gate.acquire(ctx, of(name)).then(() => order.push(name));
    first.release();
    await tick();
    expect(order).toEqual(['a']);
  });

  test('after close newcomers are refused, and who waits still gets in', async () => {
    const { gate } = makeGate({ slots: 1, queue: 1 });
    const running = permitOf(await gate.acquire(ctx, of('x')));
    const waiter = gate.acquire(ctx, of('a'));
    gate.close();
    expect(await gate.acquire(ctx, of('b'))).toMatchObject({ reason: 'shutdown' });
    running.release();
    expect((await waiter).kind).toBe('admitted');
  });
});

describe('at info/refs', () => {
  test('a probe takes no slot, and is refused when none is free', async () => {
    const { gate, pod } = makeGate({ slots: 1, queue: 1 });
    expect(await gate.probe(ctx, of('a'), {})).toBeUndefined();
    expect(pod.inUse).toBe(0);
    permitOf(await gate.acquire(ctx, of('a')));
    expect(await gate.probe(ctx, of('b'), {})).toMatchObject({ reason: 'queue_full' });
  });

  test('of a burst no more pass than slots and queue hold; the next waits for them, and no longer than a second', async () => {
    const { gate, clock } = makeGate({ slots: 1, queue: 1 });
    await gate.probe(ctx, of('a'), {});
    await gate.probe(ctx, of('b'), {});
    let passed = false;
    const third = gate.probe(ctx, of('c'), {}).then(() => (passed = true));
    await tick();
    expect(passed).toBe(false);
    for (let at = 0; at < 25; at++) {
      clock.advance(50);
      await tick();
    }
    await third;
    expect(passed).toBe(true);
  });

  test('a probe that will not fetch makes room at once', async () => {
    const { gate, clock } = makeGate({ slots: 1, queue: 1 });
    const owner = {};
    await gate.probe(ctx, of('a'), owner);
    await gate.probe(ctx, of('b'), {});
    const third = gate.probe(ctx, of('c'), {});
    gate.dropProbe(owner);
    expect(await third).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  test('while the server ends, who was let past may still come', async () => {
    const { gate } = makeGate({ slots: 2 });
    const owner = {};
    await gate.probe(ctx, of('a'), owner);
    gate.close();
    expect(await gate.probe(ctx, of('b'), {})).toMatchObject({ reason: 'shutdown' });
    permitOf(await gate.acquire(ctx, of('a'), owner));
    expect(await gate.acquire(ctx, of('b'), {})).toMatchObject({ reason: 'shutdown' });
  });
});

test('in shadow nothing is refused or kept waiting, and all of it is counted', async () => {
  const { gate, counted, clock } = makeGate({ slots: 1, mode: 'shadow' });
  const permits = [];
  for (let at = 0; at < 3; at++) {
    expect(await gate.probe(ctx, of('a'), {})).toBeUndefined();
    permits.push(permitOf(await gate.acquire(ctx, of('a'))));
  }
  expect(counted.refused).toEqual(['pod queue_full shadow', 'pod queue_full shadow']);
  for (const permit of permits) permit.release();
  expect(clock.pending).toBe(0);
});

/** A seeded source of numbers below a bound. */
function createRandom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) | 0;
    return (state >>> 8) % below;
  };
}

/** Clients that come, finish and leave at random. */
class Crowd {
  readonly held: { readonly key: string; readonly permit: Permit }[] = [];
  readonly outcomes = { asked: 0, admitted: 0, refused: 0, left: 0 };
  readonly #leavers: (() => void)[] = [];
  readonly #random: (below: number) => number;
  readonly #gate: Gate;

  constructor(gate: Gate, random: (below: number) => number) {
    this.#gate = gate;
    this.#random = random;
  }

  come(): void {
    this.outcomes.asked++;
    const key = `c${this.#random(4)}`;
    const own = createTestContext();
    this.#leavers.push(() => own.abort());
    const settle = (outcome: Permit | Refusal) => {
      if (isPermit(outcome)) this.held.push({ key, permit: outcome });
      this.outcomes[outcome.kind]++;
    };
    this.#gate.acquire(own, of(key)).then(settle, () => void this.outcomes.left++);
  }

  finish(): void {
    this.held.splice(this.#random(this.held.length || 1), 1)[0]?.permit.release();
  }

  leave(): void {
    this.#leavers[this.#random(this.#leavers.length || 1)]?.();
  }

  heldBy(key: string): number {
    return this.held.filter((one) => one.key === key).length;
  }
}

async function interleave(seed: number): Promise<void> {
  const random = createRandom(seed);
  const slots = 1 + random(4);
  const client = 1 + random(slots);
  const { gate, clock, counted, pod, own } = makeGate({ slots, client, queue: random(4) });
  const crowd = new Crowd(gate, random);
  for (let step = 0; step < 120; step++) {
    const action = random(10);
    if (action < 5) crowd.come();
    else if (action < 8) crowd.finish();
    else if (action === 8) clock.advance(random(400));
    else crowd.leave();
    await tick();
    expect(pod.inUse).toBe(crowd.held.length);
    expect(pod.inUse).toBeLessThanOrEqual(slots);
    for (const { clientKey } of gate.queue().waiting) {
      const mustWait = pod.inUse === slots || crowd.heldBy(clientKey) >= client;
      expect(mustWait, `seed ${seed} step ${step}`).toBe(true);
    }
  }
  while (crowd.held.length > 0 || gate.queue().waiting.length > 0) {
    crowd.finish();
    clock.advance(100);
    await tick();
  }
  const { asked, admitted, refused, left } = crowd.outcomes;
  expect([pod.inUse, own?.trackedKeys, clock.pending]).toEqual([0, 0, 0]);
  expect(admitted + refused + left).toBe(asked);
  expect([counted.admitted['pod'] ?? 0, counted.refused.length]).toEqual([admitted, refused]);
}

test('random interleavings: never over a bound, nobody waits beside a free slot, the counts add up', async () => {
  for (let seed = 1; seed <= 30; seed++) await interleave(seed);
});
