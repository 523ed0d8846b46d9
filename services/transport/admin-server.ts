// The admin port: metrics, and whether the server lives and is ready. Never exposed to clients.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '#kernel/log.ts';
import type { Registry } from '#kernel/metrics.ts';
import { sendError, sendText } from '#transport/respond.ts';

export type Readiness = { ready: boolean; reason: string };

/** Handles /metrics, /healthz and /readyz; readiness is read at each request. */
export function createAdminHandler(
  registry: Registry,
  readiness: Readiness,
  log: Log,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    switch (request.url) {
      case '/metrics':
        await sendMetrics(registry, response, log);
        return;
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

async function sendMetrics(registry: Registry, response: ServerResponse, log: Log): Promise<void> {
  try {
    const body = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType });
    response.end(body);
  } catch (error) {
    sendError(response, error, log);
  }
}
