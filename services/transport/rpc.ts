// POST git-upload-pack, git-receive-pack and git-upload-archive: opens the body, lets the service answer, and ends the
// response only after the body has been read and the service is done.

import { sleep } from '#kernel/abort.ts';
import { assertNever } from '#kernel/assert-never.ts';
import type { Context } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import { classifyClient } from '#model/client-class.ts';
import { hasFeature } from '#git/git-version.ts';
import { OutputFraming } from '#git/output-framing.ts';
import { PacketReader } from '#git/packet-reader.ts';
import type { ProtocolRequest } from '#git/protocol-version.ts';
import { startUploadArchive } from '#git/upload-pack.ts';
import type { GitService } from '#transport/address.ts';
import { admissionRequest, expectMethod, type GitExchange } from '#transport/git-exchange.ts';
import type { GitServices } from '#transport/git-services.ts';
import type { GitTarget } from '#transport/git-target.ts';
import { openRequestBody, type RequestBody, tooLargeSentence } from '#transport/request-body.ts';
import { gitHeaders, sendRefusal, sendText } from '#transport/respond.ts';
import { runGitService } from '#transport/run-git-service.ts';
import { answerV0, answerV2, type FetchSession } from '#transport/serve-fetch.ts';
import { answerPush } from '#transport/serve-push.ts';

/** A client that is still sending when it was refused is read on for so long, to see its answer. */
const maxDiscardBytes = 64 * 2 ** 20;
const lingerMs = 2000;

type Rpc = {
  readonly service: GitService;
  readonly target: GitTarget;
  readonly protocol: ProtocolRequest;
};

/** @throws ForgeError, before anything was sent, for what is no valid request. */
export async function answerRpc(
  ctx: Context,
  services: GitServices,
  rpc: Rpc,
  exchange: GitExchange,
): Promise<void> {
  const { request, response } = exchange;
  const { service } = rpc;
  expectMethod(request, ['POST']);
  const expected = `application/x-${service}-request`;
  if (request.headers['content-type'] !== expected) {
    sendText(response, 415, `This address takes ${expected}.`, {
      ...gitHeaders,
      connection: 'close',
    });
    return;
  }
  const body = openBody(services, exchange, service);
  response.setHeader('content-type', `application/x-${service}-result`);
  for (const [name, value] of Object.entries(gitHeaders)) response.setHeader(name, value);
  try {
    await answerService(ctx, services, rpc, { ...exchange, body });
  } catch (error) {
    // A client that is still sending reads no answer, and a reset would take it away: give it a moment to finish.
    await Promise.race([body.discard(maxDiscardBytes), sleep(lingerMs, ctx.signal)]).catch(
      () => {},
    );
    throw error;
  }
  const whole = await body.discard(maxDiscardBytes);
  if (!whole && !response.headersSent) response.setHeader('connection', 'close');
  if (!response.writableEnded) response.end();
  if (!whole) response.once('finish', () => request.destroy());
}

type OpenExchange = GitExchange & { readonly body: RequestBody };

function answerService(
  ctx: Context,
  services: GitServices,
  rpc: Rpc,
  exchange: OpenExchange,
): Promise<void> {
  switch (rpc.service) {
    case 'git-upload-pack':
      return answerUploadPack(ctx, services, rpc, exchange);
    case 'git-receive-pack':
      return answerReceivePack(ctx, services, rpc, exchange);
    case 'git-upload-archive':
      return answerUploadArchive(ctx, services, rpc, exchange);
    default:
      return assertNever(rpc.service);
  }
}

async function answerUploadPack(
  ctx: Context,
  services: GitServices,
  { target, protocol }: Rpc,
  exchange: OpenExchange,
): Promise<void> {
  const { response, request, body } = exchange;
  const { gitHttp } = services.admission;
  const admission = admissionRequest(exchange, target, false);
  const session: FetchSession = {
    target,
    class: admission.class,
    protocol: protocol.environment,
    output: response,
    admit: (admitCtx) => gitHttp.acquire(admitCtx, admission, request.socket),
    onListingOnly: () => gitHttp.dropProbe(request.socket),
  };
  if (protocol.version === 2) {
    await answerV2(ctx, services, session, new PacketReader(body.chunks));
  } else {
    await answerV0(ctx, services, session, { input: body.chunks, stateless: true });
  }
}

async function answerReceivePack(
  ctx: Context,
  services: GitServices,
  { target }: Rpc,
  exchange: OpenExchange,
): Promise<void> {
  const { request, response, actor, body } = exchange;
  const admission = admissionRequest(exchange, target, true);
  const stated = Number(request.headers['content-length']);
  const session = {
    target,
    class: admission.class,
    accountName: actor.kind === 'account' ? actor.name : 'anonymous',
    output: response,
    contentLength: Number.isFinite(stated) ? stated : undefined,
    inputEnds: true,
    admit: (admitCtx: Context) =>
      services.admission.gitPush.acquire(admitCtx, admission, request.socket),
  };
  await answerPush(ctx, services, session, new PacketReader(body.chunks));
}

async function answerUploadArchive(
  ctx: Context,
  services: GitServices,
  { target }: Rpc,
  exchange: OpenExchange,
): Promise<void> {
  const { gitHttp, gitDuration } = services.admission;
  if (!hasFeature(services.git.version, 'uploadArchiveOverHttp')) {
    throw new ForgeError('NOT_FOUND', {
      sentence: 'git archive --remote over HTTP needs git 2.44 on the server; use SSH',
    });
  }
  const admission = admissionRequest(exchange, target, false);
  const permit = await gitHttp.acquire(ctx, admission, exchange.request.socket);
  if (permit.kind === 'refused') {
    sendRefusal(exchange.response, permit, 'git');
    return;
  }
  try {
    await runGitService(ctx, {
      child: await startUploadArchive(ctx, services.git, target.gitDir),
      input: exchange.body.chunks,
      output: exchange.response,
      framing: new OutputFraming('text'),
      duration: gitDuration,
      class: admission.class,
    });
  } finally {
    permit.release();
  }
}

function openBody(
  { admission }: GitServices,
  { request, actor }: GitExchange,
  service: Rpc['service'],
): RequestBody {
  // A push is bounded by serve-push, where the bound may be the repository's own.
  if (service === 'git-receive-pack') {
    return openRequestBody(request, { maxBytes: Infinity, onTooLarge: () => '' });
  }
  const limit = admission.requestInflatedBytes;
  return openRequestBody(request, {
    maxBytes: limit.value,
    onTooLarge() {
      const sentence = tooLargeSentence(limit.value, limit.definition.name);
      limit.refuse(classifyClient(actor, 'costly'), sentence);
      return sentence;
    },
  });
}
