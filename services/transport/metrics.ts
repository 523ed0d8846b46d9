// HTTP metrics by route: declared here, counted by http-front. No label carries a client, repository or path.

import {
  Counter,
  durationBucketsSeconds,
  Gauge,
  Histogram,
  type Registry,
} from '#kernel/metrics.ts';
import type { AddressSource } from '#admission/client-address.ts';
import type { ClientClass } from '#model/client-class.ts';

export type RouteLabel =
  | 'info-refs'
  | 'upload-pack'
  | 'receive-pack'
  | 'archive'
  | 'lfs'
  | 'overview'
  | 'api'
  | 'static'
  | 'other';

export type HttpMonitor = {
  began(route: RouteLabel, source: AddressSource): void;
  ended(exchange: {
    readonly route: RouteLabel;
    readonly method: string;
    readonly status: number;
    readonly class: ClientClass;
    readonly durationSeconds: number;
    readonly aborted: boolean;
  }): void;
};

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createHttpMetrics(registry: Registry): HttpMonitor {
  const registers = [registry];
  const requests = new Counter({
    name: 'warren_http_requests_total',
    help: 'Answered requests',
    labelNames: ['route', 'method', 'code', 'class'],
    registers,
  });
  const durations = new Histogram({
    name: 'warren_http_request_duration_seconds',
    help: 'From the request head to the last byte',
    labelNames: ['route'],
    buckets: durationBucketsSeconds,
    registers,
  });
  const inFlight = new Gauge({
    name: 'warren_http_requests_in_flight',
    help: 'Requests being answered',
    labelNames: ['route'],
    registers,
  });
  const aborts = new Counter({
    name: 'warren_http_aborts_total',
    help: 'Clients that left before the last byte',
    labelNames: ['route'],
    registers,
  });
  const sources = new Counter({
    name: 'warren_client_address_total',
    help: 'Where the client address came from; rejected_forwarded: a header from no trusted proxy',
    labelNames: ['source'],
    registers,
  });
  return {
    began(route, source) {
      inFlight.inc({ route });
      sources.inc({ source });
    },
    ended({ route, method, status, durationSeconds, aborted, ...exchange }) {
      inFlight.dec({ route });
      durations.observe({ route }, durationSeconds);
      if (aborted) aborts.inc({ route });
      requests.inc({
        route,
        method: methods.has(method) ? method : 'other',
        code: codeLabel(status),
        class: exchange.class,
      });
    },
  };
}

function codeLabel(status: number): string {
  return status === 429 || status === 503 ? String(status) : `${Math.floor(status / 100)}xx`;
}
