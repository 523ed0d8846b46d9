// Answers a push: reads what it wants, refuses what may not be, and lets receive-pack do the rest in its quarantine.
// Callers: smart-http and ssh. Must stay true: a refused or broken push leaves no ref and no object, and says why.

import { statfs } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { Context } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import { formatBytes, parseBytes } from '#kernel/units.ts';
import type { Permit } from '#admission/gate.ts';
import type { Refusal } from '#admission/refusal.ts';
import type { ClientClass } from '#model/client-class.ts';
import { OutputFraming } from '#git/output-framing.ts';
import type { PacketReader } from '#git/packet-reader.ts';
import { planPush } from '#git/push-plan.ts';
import { renderPushFailure, renderPushRefusal } from '#git/push-report.ts';
import { type PushRequest, readPushRequest } from '#git/push-request.ts';
import { startReceivePack } from '#git/receive-pack.ts';
import type { GitServices } from '#transport/git-services.ts';
import type { GitTarget } from '#transport/git-target.ts';
import { runGitService, type ServiceOutcome } from '#transport/run-git-service.ts';
import { writeChunk } from '#transport/write-chunk.ts';

export type PushSession = {
  readonly target: GitTarget;
  readonly class: ClientClass;
  readonly accountName: string;
  readonly output: Writable;
  /** Stated by the client, when it did. */
  readonly contentLength: number | undefined;
  /** True over HTTP. An SSH client waits for the answer without ending its input: reading to the end would hang. */
  readonly inputEnds: boolean;
  /** Called for a real push only, never for the probe. */
  readonly admit: (ctx: Context) => Promise<Permit | Refusal>;
};

export type PushResult = 'nothing' | 'refused' | ServiceOutcome['result'];

/** @returns how it went, for an exit code; the client has been told. */
export async function answerPush(
  ctx: Context,
  services: GitServices,
  session: PushSession,
  reader: PacketReader,
): Promise<PushResult> {
  const request = await readPushRequest(reader);
  // `0000` alone asks whether a large push would get past authentication: yes, and it costs nothing.
  if (request.isProbe) return 'nothing';
  const { entry, role } = session.target;
  const plan = planPush(request.updates, entry.spec.protectedBranches, role);
  if (plan.kind === 'refuse') {
    await discard(session, reader, services.admission.pushBytes.value);
    const answer = renderPushRefusal(request.capabilities, plan.refusals, plan.sentence);
    await writeChunk(session.output, answer, ctx.signal);
    return 'refused';
  }
  const maxPushBytes = pushBoundOf(services, session);
  const noRoom = await findNoRoom(services, session, maxPushBytes);
  if (noRoom !== undefined) {
    await refuse(ctx, session, { request, reader, sentence: noRoom.sentence, maxPushBytes });
    return 'refused';
  }
  const permit = await session.admit(ctx);
  if (permit.kind === 'refused') {
    await discard(session, reader, maxPushBytes);
    const answer = renderPushFailure(request.capabilities, permit.sentence);
    await writeChunk(session.output, answer, ctx.signal);
    return 'refused';
  }
  try {
    return await receive(ctx, services, session, {
      request,
      reader,
      fastForwardOnly: plan.fastForwardOnly,
      maxPushBytes,
    });
  } finally {
    permit.release();
    services.onPushed(entry.id);
  }
}

type Receiving = {
  readonly request: PushRequest;
  readonly reader: PacketReader;
  readonly fastForwardOnly: readonly string[];
  readonly maxPushBytes: number;
};

async function receive(
  ctx: Context,
  services: GitServices,
  session: PushSession,
  { request, reader, fastForwardOnly, maxPushBytes }: Receiving,
): Promise<ServiceOutcome['result']> {
  const { entry, gitDir } = session.target;
  const { maxBlobBytes } = entry.spec.limits;
  const child = await startReceivePack(ctx, services.git, {
    gitDir,
    maxPushBytes,
    maxBlobBytes: maxBlobBytes === undefined ? undefined : parseBytes(maxBlobBytes),
    fastForwardOnly,
    accountName: session.accountName,
  });
  const tooLarge = () => {
    const sentence = tooLargeSentence(maxPushBytes);
    services.admission.pushBytes.refuse(session.class, sentence);
    return new ForgeError('PAYLOAD_TOO_LARGE', { sentence });
  };
  const { result } = await runGitService(ctx, {
    child,
    input: bounded(request.head, reader.rest(), {
      maxBytes: maxPushBytes,
      tooLarge,
      onBytes: (bytes) => services.sizes.add(gitDir, bytes),
    }),
    output: session.output,
    framing: new OutputFraming('pack'),
    duration: services.admission.gitDuration,
    class: session.class,
  });
  return result;
}

/** The head and the rest of the body, cut with an error past the bound: git never sees an end then. */
async function* bounded(
  head: Buffer,
  rest: AsyncIterable<Buffer>,
  bound: {
    readonly maxBytes: number;
    readonly tooLarge: () => ForgeError;
    readonly onBytes: (bytes: number) => void;
  },
): AsyncGenerator<Buffer> {
  yield head;
  let bytes = 0;
  for await (const chunk of rest) {
    bytes += chunk.length;
    if (bytes > bound.maxBytes) throw bound.tooLarge();
    bound.onBytes(chunk.length);
    yield chunk;
  }
}

function pushBoundOf({ admission }: GitServices, { target }: PushSession): number {
  const own = target.entry.spec.limits.maxPushBytes;
  const ownBytes = own === undefined ? undefined : parseBytes(own);
  return Math.min(admission.pushBytes.value, ownBytes ?? Infinity);
}

/** Refuses before a byte is unpacked: a push that states too much, a full repository, a full volume. */
async function findNoRoom(
  { admission, sizes }: GitServices,
  session: PushSession,
  maxPushBytes: number,
): Promise<Refusal | undefined> {
  const { target, contentLength = 0, class: clientClass } = session;
  if (contentLength > maxPushBytes) {
    return admission.pushBytes.refuse(clientClass, tooLargeSentence(maxPushBytes));
  }
  const { bavail, bsize } = await statfs(target.gitDir);
  const keepFree = admission.diskFreeBytes.value;
  if (bavail * bsize - contentLength < keepFree) {
    const sentence = `the volume must keep ${formatBytes(keepFree)} free (disk_free_bytes); nothing was stored`;
    return admission.diskFreeBytes.refuse(clientClass, sentence);
  }
  const quota = target.entry.spec.storage;
  const ownBytes = quota === undefined ? undefined : parseBytes(quota);
  const maxBytes = Math.min(admission.repositoryBytes.value, ownBytes ?? Infinity);
  const usedBytes = await sizes.estimate(target.gitDir);
  if (usedBytes + contentLength > maxBytes) {
    const sentence = `a repository takes at most ${formatBytes(maxBytes)} (repository_bytes); this one has ${formatBytes(usedBytes)}`;
    return admission.repositoryBytes.refuse(clientClass, sentence);
  }
  return undefined;
}

function tooLargeSentence(maxPushBytes: number): string {
  return `a push has at most ${formatBytes(maxPushBytes)} (push_bytes); push less at a time, or keep large files out of Git`;
}

async function refuse(
  ctx: Context,
  session: PushSession,
  refusal: {
    readonly request: PushRequest;
    readonly reader: PacketReader;
    readonly sentence: string;
    readonly maxPushBytes: number;
  },
): Promise<void> {
  const { request, sentence } = refusal;
  await discard(session, refusal.reader, refusal.maxPushBytes);
  const refusals = request.updates.map(({ refName }) => ({
    refName,
    reason: 'refused by a limit',
  }));
  const answer = renderPushRefusal(request.capabilities, refusals, sentence);
  await writeChunk(session.output, answer, ctx.signal);
}

/** Reads the pack away, so that the client, which writes before it reads, gets to see the answer. */
async function discard(
  { inputEnds }: PushSession,
  reader: PacketReader,
  maxBytes: number,
): Promise<void> {
  if (!inputEnds) return;
  let bytes = 0;
  for await (const chunk of reader.rest()) {
    bytes += chunk.length;
    if (bytes > maxBytes) return;
  }
}
