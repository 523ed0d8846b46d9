// A bound on a size or a time: its value, and the count of those refused by it.

import type { RefusalReason, ValueDefinition } from '#admission/define-limit.ts';
import type { LimitMonitor } from '#admission/limit-monitor.ts';
import type { Refusal } from '#admission/refusal.ts';
import type { ClientClass } from '#model/client-class.ts';

export class ValueLimit {
  readonly definition: ValueDefinition;
  /** Bytes or milliseconds, by the definition's kind. */
  readonly value: number;
  readonly #monitor: LimitMonitor;

  constructor(definition: ValueDefinition, value: number, monitor: LimitMonitor) {
    this.definition = definition;
    this.value = value;
    this.#monitor = monitor;
  }

  /** Counts a refusal and returns it. The sentence names the limit and what was asked. */
  refuse(clientClass: ClientClass, sentence: string): Refusal {
    const { name, scope, reasons } = this.definition;
    const reason: RefusalReason = reasons[0] ?? 'size';
    this.#monitor.refused(name, clientClass, reason, 'enforce');
    return { kind: 'refused', limit: name, scope, reason, retryAfterSeconds: 60, sentence };
  }
}
