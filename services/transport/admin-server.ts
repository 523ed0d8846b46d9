// The admin port: metrics, and whether the server lives and is ready. Never exposed to clients.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Registry } from '#kernel/metrics.ts';
import { sendText } from '#transport/respond.ts';

export type Readiness = { ready: boolean; reason: string };

/** Handles /metrics, /healthz and /readyz; readiness is read at each request. */
export function createAdminHandler(
  registry: Registry,
  readiness: Readiness,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    switch (request.url) {
      case '/metrics': {
        const body = await registry.metrics();
        response.writeHead(200, { 'content-type': registry.contentType });
        response.end(body);
        return;
      }
      case '/healthz':
        sendText(response, 200, 'ok');
        return;
      case '/readyz':
        sendText(response, readiness.ready ? 200 : 503, readiness.reason);
        return;
      case undefined:
      default:
        sendText(response, 404, 'Here are /metrics, /healthz and /readyz.');
    }
  };
}
