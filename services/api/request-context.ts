// The Context of one request: aborted when the client is gone before its answer was written. (The request's own 'close'
// comes as soon as its body has been read, so the response's is the one to listen to.)

import type { ServerResponse } from 'node:http';
import type { Context } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import type { Log } from '#kernel/log.ts';

export type RequestContext = Disposable & { readonly ctx: Context };

/** Dispose when the request is handled. */
export function openRequestContext(response: ServerResponse, log: Log): RequestContext {
  const controller = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) controller.abort(new ForgeError('CANCELLED'));
  };
  response.once('close', onClose);
  return {
    ctx: { signal: controller.signal, log },
    [Symbol.dispose]: () => void response.off('close', onClose),
  };
}
