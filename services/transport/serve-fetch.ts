// Answers upload-pack requests. v2 is answered command by command, over HTTP and SSH alike: listings in process, a
// fetch by a git child that lives for that request only. v0 and v1 run one child.

import type { Writable } from 'node:stream';
import type { Context } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import type { Permit } from '#admission/gate.ts';
import type { Refusal } from '#admission/refusal.ts';
import type { ClientClass } from '#model/client-class.ts';
import { parseCloneRequest } from '#git/clone-request.ts';
import { OutputFraming } from '#git/output-framing.ts';
import type { Packet, PacketReader } from '#git/packet-reader.ts';
import { delimiterPacket, encodeError, encodePacket, flushPacket } from '#git/pkt-line.ts';
import { parseLsRefs, renderLsRefs } from '#git/ref-listing.ts';
import { isShallow } from '#git/repository-layout.ts';
import { startUploadPack } from '#git/upload-pack.ts';
import type { GitServices } from '#transport/git-services.ts';
import type { GitTarget } from '#transport/git-target.ts';
import { readListedRefs } from '#transport/read-listed-refs.ts';
import { runGitService, type ServiceOutcome } from '#transport/run-git-service.ts';
import { answerClone } from '#transport/serve-clone.ts';
import { writeChunk } from '#transport/write-chunk.ts';

export type FetchSession = {
  readonly target: GitTarget;
  readonly class: ClientClass;
  readonly protocol: string | undefined;
  readonly output: Writable;
  /** Asked once a fetch command is there and its request has come in. */
  readonly admit: (ctx: Context) => Promise<Permit | Refusal>;
  /** The client asked for a whole listing: it will not fetch. */
  readonly onListingOnly: () => void;
};

/** Request bytes that are held before admission; what is longer streams afterwards. */
const heldBytes = 2 ** 20;

/** ended: the stream is over, or a lone flush ended the session. failed: an error packet was sent. */
export type V2Result = 'answered' | 'ended' | 'failed';

/**
 * Answers one v2 command.
 * @throws PROTOCOL_ERROR for anything that is no v2 request.
 */
export async function answerV2(
  ctx: Context,
  services: GitServices,
  session: FetchSession,
  reader: PacketReader,
): Promise<V2Result> {
  const first = await reader.next();
  if (first === undefined || first.kind === 'flush') return 'ended';
  const command = first.kind === 'data' ? first.payload.toString('utf8').trim() : '';
  switch (command) {
    case 'command=ls-refs':
      return answerLsRefs(ctx, services, session, reader);
    case 'command=fetch':
      return answerFetch(ctx, services, session, { first, reader });
    default:
      throw new ForgeError('PROTOCOL_ERROR', { sentence: 'an unknown v2 command' });
  }
}

async function answerLsRefs(
  ctx: Context,
  services: GitServices,
  session: FetchSession,
  reader: PacketReader,
): Promise<V2Result> {
  const lines: string[] = [];
  let inArguments = false;
  for (;;) {
    const packet = await reader.next();
    if (packet === undefined) throw new ForgeError('PROTOCOL_ERROR', { sentence: 'no flush' });
    if (packet.kind === 'flush') break;
    if (packet.kind === 'delimiter') inArguments = true;
    if (packet.kind !== 'data' || !inArguments) continue;
    lines.push(packet.payload.toString('utf8').replace(/\n$/, ''));
    if (reader.bytesRead > heldBytes) {
      throw new ForgeError('PROTOCOL_ERROR', { sentence: 'too many ref prefixes' });
    }
  }
  const request = parseLsRefs(lines);
  if (request.prefixes.length === 0) session.onListingOnly();
  const { target } = session;
  const snapshot = await readListedRefs(ctx, services, {
    gitDir: target.gitDir,
    refFormat: target.state.refFormat,
    class: session.class,
  });
  const answer =
    'refs' in snapshot ? renderLsRefs(snapshot, request) : encodeError(snapshot.sentence);
  await writeChunk(session.output, answer, ctx.signal);
  return 'refs' in snapshot ? 'answered' : 'failed';
}

async function answerFetch(
  ctx: Context,
  services: GitServices,
  session: FetchSession,
  request: { readonly first: Packet; readonly reader: PacketReader },
): Promise<V2Result> {
  const { reader } = request;
  const { held, complete } = await holdRequest(request.first, reader);
  const permit = await session.admit(ctx);
  if (permit.kind === 'refused') {
    await writeChunk(session.output, encodeError(permit.sentence), ctx.signal);
    return 'failed';
  }
  try {
    const { gitDir, state } = session.target;
    const isPlain = complete && !isShallow(gitDir);
    const snapshot = isPlain ? services.snapshots.current(gitDir) : undefined;
    const clone = snapshot && parseCloneRequest(textsOf(held), snapshot, state.objectFormat);
    if (clone !== undefined) {
      const { output, class: clientClass } = session;
      const result = await answerClone(ctx, services, clone, {
        gitDir,
        output,
        class: clientClass,
      });
      return result === 'ok' ? 'answered' : 'failed';
    }
    const child = await startUploadPack(ctx, services.git, {
      gitDir,
      protocol: session.protocol,
      stateless: true,
    });
    const { result } = await runGitService(ctx, {
      child,
      input: requestBytes(held, reader, complete),
      output: session.output,
      framing: new OutputFraming('text'),
      duration: services.admission.gitDuration,
      class: session.class,
      throwsBadInput: true,
    });
    return result === 'ok' ? 'answered' : 'failed';
  } finally {
    permit.release();
  }
}

type HeldRequest = {
  readonly held: readonly Packet[];
  /** False: it goes on in the reader. */
  readonly complete: boolean;
};

async function holdRequest(first: Packet, reader: PacketReader): Promise<HeldRequest> {
  const held: Packet[] = [first];
  for (let bytes = 0; bytes < heldBytes;) {
    const packet = await nextInRequest(reader);
    held.push(packet);
    if (packet.kind === 'flush') return { held, complete: true };
    if (packet.kind === 'data') bytes += packet.payload.length;
  }
  return { held, complete: false };
}

function textsOf(packets: readonly Packet[]): readonly string[] {
  return packets.flatMap((packet) =>
    packet.kind === 'data' ? [packet.payload.toString('utf8').replace(/\n$/, '')] : [],
  );
}

async function* requestBytes(
  held: readonly Packet[],
  reader: PacketReader,
  complete: boolean,
): AsyncGenerator<Buffer> {
  yield Buffer.concat(held.map(encode));
  let ended = complete;
  while (!ended) {
    const packet = await nextInRequest(reader);
    yield encode(packet);
    ended = packet.kind === 'flush';
  }
}

async function nextInRequest(reader: PacketReader): Promise<Packet> {
  const packet = await reader.next();
  if (packet !== undefined) return packet;
  throw new ForgeError('PROTOCOL_ERROR', { sentence: 'the request has no end' });
}

function encode(packet: Packet): Buffer {
  if (packet.kind === 'data') return encodePacket(packet.payload);
  return packet.kind === 'delimiter' ? delimiterPacket : flushPacket;
}

/** v0 and v1: the whole request goes to one child. A refused client has been told. */
export async function answerV0(
  ctx: Context,
  services: GitServices,
  session: FetchSession,
  request: { readonly input: AsyncIterable<Buffer>; readonly stateless: boolean },
): Promise<'refused' | ServiceOutcome['result']> {
  const permit = await session.admit(ctx);
  if (permit.kind === 'refused') {
    await writeChunk(session.output, encodeError(permit.sentence), ctx.signal);
    return 'refused';
  }
  try {
    const child = await startUploadPack(ctx, services.git, {
      gitDir: session.target.gitDir,
      protocol: session.protocol,
      stateless: request.stateless,
    });
    const { result } = await runGitService(ctx, {
      child,
      input: request.input,
      output: session.output,
      framing: new OutputFraming('text-v0'),
      duration: services.admission.gitDuration,
      class: session.class,
      toleratesFailure: true,
      throwsBadInput: true,
    });
    return result;
  } finally {
    permit.release();
  }
}
