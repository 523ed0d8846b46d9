// Admits work under several concurrency limits at once: a slot of each, or none. Callers: every edge.
// Must stay true: never more than a limit's slots at once; nobody is refused or kept waiting while every limit that
// concerns it has a free slot; a refusal is counted once, here; whoever leaves the queue is out of it at once.

import { ForgeError } from '#kernel/forge-error.ts';
import { onAbort } from '#kernel/abort.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { AdmissionRequest } from '#admission/admission-request.ts';
import type { ConcurrencyLimit } from '#admission/concurrency-limit.ts';
import type { RefusalReason } from '#admission/define-limit.ts';
import type { LimitMonitor } from '#admission/limit-monitor.ts';
import { ProbeClaims } from '#admission/probe-claims.ts';
import { planRetryAfter, type Refusal } from '#admission/refusal.ts';

export type Permit = {
  readonly kind: 'admitted';
  readonly waitedMs: number;
  /** Gives every slot back; further calls do nothing. */
  release(): void;
};

export type GateOptions = {
  /** The pod's limit first: the queue is its queue. */
  readonly limits: readonly [ConcurrencyLimit, ...ConcurrencyLimit[]];
  readonly queueSlots: number;
  readonly waitMs: number;
  readonly monitor: LimitMonitor;
  readonly clock: Clock;
  readonly random?: () => number;
};

type Waiter = { readonly request: AdmissionRequest; readonly since: number; admit(): void };

const claimLifeMs = 1000;

export class Gate {
  readonly #options: GateOptions;
  readonly #waiters: Waiter[] = [];
  readonly #claims: ProbeClaims;
  #closed = false;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#claims = new ProbeClaims(options.clock, claimLifeMs);
    for (const limit of options.limits) {
      limit.onRelease(() => {
        this.#admitWaiters();
        this.#claims.changed();
      });
    }
  }

  get limits(): readonly ConcurrencyLimit[] {
    return this.#options.limits;
  }

  get queueSlots(): number {
    return this.#options.queueSlots;
  }

  get waitMs(): number {
    return this.#options.waitMs;
  }

  /** Waiters by class, and when the oldest began to wait (clock.monotonicMs). */
  queue(): { readonly waiting: readonly AdmissionRequest[]; readonly oldestSinceMs?: number } {
    const [oldest] = this.#waiters;
    const waiting = this.#waiters.map(({ request }) => request);
    return oldest === undefined ? { waiting } : { waiting, oldestSinceMs: oldest.since };
  }

  /** From now on newcomers are refused with reason shutdown; who was let past a probe or waits may still run. */
  close(): void {
    this.#closed = true;
  }

  /**
   * The answer to info/refs: may this client come with its fetch? Takes no slot.
   * Waits only while a slot is free but as many clients as slots and queue hold were let past just now.
   */
  async probe(
    ctx: Context,
    request: AdmissionRequest,
    owner: object,
  ): Promise<Refusal | undefined> {
    const { clock, queueSlots, limits } = this.#options;
    const until = clock.monotonicMs() + claimLifeMs;
    for (;;) {
      ctx.signal.throwIfAborted();
      const full = this.#firstFull(request);
      if (this.#closed) return this.#refuse(limits[0], request, 'shutdown');
      if (full !== undefined)
        return this.#refuse(full, request, this.#reasonOf(full, 'queue_full'));
      const room = limits[0].slots + queueSlots - limits[0].inUse - this.#waiters.length;
      const remainingMs = until - clock.monotonicMs();
      const isOpen = limits[0].mode === 'shadow' || this.#claims.outstanding(owner) < room;
      if (isOpen || remainingMs <= 0) break;
      await this.#claims.nextChange(Math.min(remainingMs, 50));
    }
    this.#claims.add(owner);
    return undefined;
  }

  /** The client of this connection will not fetch (it asked for a listing only, or left). */
  dropProbe(owner: object): void {
    this.#claims.drop(owner);
  }

  /**
   * A permit under every limit, waiting in the queue when the gate has one.
   * @param owner the connection whose probe this redeems.
   * @throws the signal's reason when the client leaves while it waits.
   */
  async acquire(
    ctx: Context,
    request: AdmissionRequest,
    owner?: object,
  ): Promise<Permit | Refusal> {
    ctx.signal.throwIfAborted();
    const known = owner !== undefined && this.#claims.redeem(owner);
    const { limits } = this.#options;
    if (this.#closed && !known) return this.#refuse(limits[0], request, 'shutdown');
    const full = this.#firstFull(request);
    if (full === undefined) return this.#admit(ctx, request, 0);
    if (!this.#mayQueue(request)) {
      return this.#refuse(full, request, this.#reasonOf(full, 'queue_full'));
    }
    return this.#wait(ctx, request);
  }

  #firstFull(request: AdmissionRequest): ConcurrencyLimit | undefined {
    let first: ConcurrencyLimit | undefined;
    for (const limit of this.#options.limits) {
      if (limit.mode === 'enforce' && !limit.isFree(request)) first ??= limit;
    }
    return first;
  }

  /** A client may queue as many as it may run, so that one cannot fill the queue. */
  #mayQueue(request: AdmissionRequest): boolean {
    const { limits, queueSlots } = this.#options;
    if (this.#waiters.length >= queueSlots) return false;
    return limits.every((limit) => {
      if (limit.definition.scope !== 'client') return true;
      const own = this.#waiters.filter((w) => w.request.clientKey === request.clientKey).length;
      return own < limit.slots;
    });
  }

  #reasonOf(limit: ConcurrencyLimit, shared: 'queue_full' | 'queue_timeout'): RefusalReason {
    return limit.definition.reasons.includes('client_share') ? 'client_share' : shared;
  }

  async #wait(ctx: Context, request: AdmissionRequest): Promise<Permit | Refusal> {
    const { clock, waitMs, monitor, limits } = this.#options;
    const since = clock.monotonicMs();
    const { promise, resolve, reject } = Promise.withResolvers<Permit | 'timeout'>();
    // Leaving the queue happens with the decision, not after it: a waiter is admitted, timed out or cancelled, once.
    const settle = (outcome: () => void) => {
      if (this.#leave(waiter)) outcome();
    };
    const waiter: Waiter = {
      request,
      since,
      admit: () => settle(() => resolve(this.#admit(ctx, request, clock.monotonicMs() - since))),
    };
    this.#waiters.push(waiter);
    const timer = clock.after(waitMs, () => settle(() => resolve('timeout')));
    const listening = onAbort(ctx.signal, (reason) =>
      settle(() => {
        monitor.cancelled(limits[0].definition.name, 'queued');
        monitor.waited(
          limits[0].definition.name,
          'cancelled',
          (clock.monotonicMs() - since) / 1000,
        );
        reject(reason instanceof Error ? reason : new ForgeError('CANCELLED'));
      }),
    );
    try {
      const outcome = await promise;
      if (typeof outcome !== 'string') return outcome;
      monitor.waited(limits[0].definition.name, 'refused', (clock.monotonicMs() - since) / 1000);
      const full = this.#firstFull(request) ?? limits[0];
      return this.#refuse(full, request, this.#reasonOf(full, 'queue_timeout'));
    } finally {
      timer.cancel();
      listening[Symbol.dispose]();
    }
  }

  /** False when the waiter has left before. */
  #leave(waiter: Waiter): boolean {
    const at = this.#waiters.indexOf(waiter);
    if (at >= 0) this.#waiters.splice(at, 1);
    return at >= 0;
  }

  /** First come, first served among those that fit: one client's full share keeps nobody else waiting. */
  #admitWaiters(): void {
    for (const waiter of this.#waiters.slice()) {
      if (this.#firstFull(waiter.request) !== undefined) continue;
      waiter.admit();
    }
  }

  #admit({ signal }: Context, request: AdmissionRequest, waitedMs: number): Permit {
    const { limits, monitor, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const taken: { limit: ConcurrencyLimit; giveBack: () => void }[] = [];
    for (const limit of limits) {
      if (limit.mode === 'shadow' && !limit.isFree(request)) {
        monitor.refused(
          limit.definition.name,
          request.class,
          this.#reasonOf(limit, 'queue_full'),
          'shadow',
        );
      }
      const giveBack = limit.take(request);
      if (giveBack === undefined) continue;
      taken.push({ limit, giveBack });
      monitor.admitted(limit.definition.name, request.class);
    }
    if (this.#options.queueSlots > 0) {
      monitor.waited(limits[0].definition.name, 'admitted', waitedMs / 1000);
    }
    this.#claims.changed();
    let released = false;
    return {
      kind: 'admitted',
      waitedMs,
      release: () => {
        if (released) return;
        released = true;
        if (signal.aborted) monitor.cancelled(limits[0].definition.name, 'running');
        const heldSeconds = (clock.monotonicMs() - startedMs) / 1000;
        for (const { limit, giveBack } of taken) {
          giveBack();
          monitor.held(limit.definition.name, heldSeconds);
        }
        // Only now: else who waits for two of these slots is passed by whoever waits for the first alone.
        for (const { limit } of taken) limit.released();
      },
    };
  }

  #refuse(limit: ConcurrencyLimit, request: AdmissionRequest, reason: RefusalReason): Refusal {
    const { monitor, random } = this.#options;
    const { name, bounds, scope } = limit.definition;
    monitor.refused(name, request.class, reason, 'enforce');
    const slots = limit.keyOf(request)?.slots ?? limit.slots;
    const retryAfterSeconds = planRetryAfter({
      waiting: this.#waiters.length,
      meanHoldMs: limit.meanHoldMs,
      slots,
      random: (random ?? Math.random)(),
    });
    const sentence =
      reason === 'shutdown'
        ? `the server is shutting down; try again in ${retryAfterSeconds} s`
        : `${bounds} are limited to ${slots} (${name}); try again in ${retryAfterSeconds} s`;
    return { kind: 'refused', limit: name, scope, reason, retryAfterSeconds, sentence };
  }
}
