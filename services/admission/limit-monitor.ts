// What limits tell about themselves; metrics.ts implements it over prom-client, tests use the silent one.

import type { RefusalReason } from '#admission/define-limit.ts';
import type { ClientClass } from '#model/client-class.ts';

export type LimitMode = 'enforce' | 'shadow';

export type LimitMonitor = {
  admitted(limit: string, clientClass: ClientClass): void;
  refused(limit: string, clientClass: ClientClass, reason: RefusalReason, mode: LimitMode): void;
  waited(limit: string, outcome: 'admitted' | 'refused' | 'cancelled', seconds: number): void;
  held(limit: string, seconds: number): void;
  cancelled(limit: string, phase: 'queued' | 'running'): void;
};

export const silentLimitMonitor: LimitMonitor = {
  admitted() {},
  refused() {},
  waited() {},
  held() {},
  cancelled() {},
};
