// GET info/refs: what a client may ask for, and the place where it is refused when no slot is free. v2 and push
// answers come from memory; only v0 and v1 fetches start a child for it.

import type { ServerResponse } from 'node:http';
import type { Context } from '#kernel/context.ts';
import type { AdmissionRequest } from '#admission/admission-request.ts';
import { OutputFraming } from '#git/output-framing.ts';
import { encodePacket, flushPacket } from '#git/pkt-line.ts';
import type { ProtocolRequest } from '#git/protocol-version.ts';
import { renderPushAdvertisement } from '#git/ref-listing.ts';
import { startAdvertisement } from '#git/upload-pack.ts';
import { admissionRequest, expectMethod, type GitExchange } from '#transport/git-exchange.ts';
import type { GitServices } from '#transport/git-services.ts';
import type { GitTarget } from '#transport/git-target.ts';
import { readListedRefs } from '#transport/read-listed-refs.ts';
import { gitHeaders, sendRefusal, sendText } from '#transport/respond.ts';
import { runGitService } from '#transport/run-git-service.ts';

type Discovery = {
  readonly service: string | undefined;
  readonly target: GitTarget;
  readonly protocol: ProtocolRequest;
};

type Answer = Discovery & {
  readonly admission: AdmissionRequest;
  readonly response: ServerResponse;
};

export async function answerDiscovery(
  ctx: Context,
  services: GitServices,
  discovery: Discovery,
  exchange: GitExchange,
): Promise<void> {
  const { request, response } = exchange;
  expectMethod(request, ['GET', 'HEAD']);
  const { gitHttp, gitPush } = services.admission;
  const admission = admissionRequest(
    exchange,
    discovery.target,
    discovery.service === 'git-receive-pack',
  );
  const answer: Answer = { ...discovery, admission, response };
  const admitted = async (gate: typeof gitHttp): Promise<boolean> => {
    const refusal = await gate.probe(ctx, admission, request.socket);
    if (refusal !== undefined) sendRefusal(response, refusal, 'git');
    return refusal === undefined;
  };
  switch (discovery.service) {
    case 'git-upload-pack':
      if (await admitted(gitHttp)) await sendFetchDiscovery(ctx, services, answer);
      return;
    case 'git-receive-pack':
      if (await admitted(gitPush)) await sendPushDiscovery(ctx, services, answer);
      return;
    case 'git-upload-archive':
      // The client asks with v2 and is told only that this is where it may post.
      sendBody(answer, Buffer.concat([encodePacket('version 2\n'), flushPacket]));
      return;
    case undefined:
    default:
      sendText(
        response,
        403,
        'The dumb protocol is not served: use git 1.6.6 or newer.',
        gitHeaders,
      );
  }
}

async function sendFetchDiscovery(
  ctx: Context,
  services: GitServices,
  answer: Answer,
): Promise<void> {
  const { target, protocol, response, admission } = answer;
  const { gitDir, state } = target;
  if (protocol.version === 2) {
    sendBody(
      answer,
      await services.capabilities.v2(services.background, gitDir, state.objectFormat),
    );
    return;
  }
  const permit = await services.admission.gitPage.acquire(ctx, admission);
  if (permit.kind === 'refused') {
    sendRefusal(response, permit, 'git');
    return;
  }
  try {
    await advertise(ctx, services, answer);
  } finally {
    permit.release();
  }
}

/** v0 and v1: git writes the whole listing. */
async function advertise(ctx: Context, services: GitServices, answer: Answer): Promise<void> {
  const { target, protocol, response, admission } = answer;
  const child = await startAdvertisement(ctx, services.git, {
    gitDir: target.gitDir,
    protocol: protocol.environment,
  });
  response.writeHead(200, headersOf(answer));
  response.write(serviceHeader(answer));
  const { result } = await runGitService(ctx, {
    child,
    input: nothing(),
    output: response,
    framing: new OutputFraming('text'),
    duration: services.admission.gitDuration,
    class: admission.class,
  });
  // A failed child must not look like a complete answer.
  if (result === 'ok') response.end();
  else response.destroy();
}

async function sendPushDiscovery(
  ctx: Context,
  services: GitServices,
  answer: Answer,
): Promise<void> {
  const { target, admission, response } = answer;
  const { gitDir, state } = target;
  const snapshot = await readListedRefs(ctx, services, {
    gitDir,
    refFormat: state.refFormat,
    class: admission.class,
  });
  if (!('refs' in snapshot)) {
    sendRefusal(response, snapshot, 'git');
    return;
  }
  const { background, capabilities } = services;
  const list = await capabilities.push(background, gitDir, state.objectFormat);
  const body = renderPushAdvertisement(snapshot, list, state.objectFormat);
  sendBody(answer, Buffer.concat([serviceHeader(answer), body]));
}

function serviceHeader({ service }: Answer): Buffer {
  return Buffer.concat([encodePacket(`# service=${service}\n`), flushPacket]);
}

function headersOf({ service }: Answer): Record<string, string> {
  return { 'content-type': `application/x-${service}-advertisement`, ...gitHeaders };
}

function sendBody(answer: Answer, body: Buffer): void {
  answer.response.writeHead(200, {
    ...headersOf(answer),
    'content-length': String(body.length),
  });
  answer.response.end(body);
}

async function* nothing(): AsyncGenerator<Buffer> {}
