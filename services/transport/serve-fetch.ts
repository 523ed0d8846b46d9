// Answers upload-pack requests. v2 is answered command by command, over HTTP and SSH alike: listings in process, a
// fetch by a git child that lives for that request only. v0 and v1 run one child.

import type { Writable } from 'node:stream';
import type { Context } from '#kernel/context.ts';
import { ForgeError } from '#kernel/forge-error.ts';
import type { Permit } from '#admission/gate.ts';
import type { Refusal } from '#admission/refusal.ts';
import type { ClientClass } from '#model/client-class.ts';
import { OutputFraming } from '#git/output-framing.ts';
import type { Packet, PacketReader } from '#git/packet-reader.ts';
import { delimiterPacket, encodeError, encodePacket, flushPacket } from '#git/pkt-line.ts';
import { parseLsRefs, renderLsRefs } from '#git/ref-listing.ts';
import type { RefSnapshot } from '#git/ref-snapshot.ts';
import { startUploadPack } from '#git/upload-pack.ts';
import type { GitServices } from '#transport/git-services.ts';
import type { GitTarget } from '#transport/git-target.ts';
import { runGitService } from '#transport/run-git-service.ts';
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

/**
 * Answers one v2 command.
 * @returns false at the end of the stream or at a lone flush, which ends a session.
 * @throws PROTOCOL_ERROR for anything that is no v2 request.
 */
export async function answerV2(
  ctx: Context,
  services: GitServices,
  session: FetchSession,
  reader: PacketReader,
): Promise<boolean> {
  const first = await reader.next();
  if (first === undefined || first.kind === 'flush') return false;
  const command = first.kind === 'data' ? first.payload.toString('utf8').trim() : '';
  switch (command) {
    case 'command=ls-refs':
      await answerLsRefs(ctx, services, session, reader);
      return true;
    case 'command=fetch':
      await answerFetch(ctx, services, session, { first, reader });
      return true;
    default:
      throw new ForgeError('PROTOCOL_ERROR', { sentence: 'an unknown v2 command' });
  }
}

async function answerLsRefs(
  ctx: Context,
  services: GitServices,
  session: FetchSession,
  reader: PacketReader,
): Promise<void> {
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
  const snapshot = await readSnapshot(ctx, services, session);
  const answer =
    'refs' in snapshot ? renderLsRefs(snapshot, request) : encodeError(snapshot.sentence);
  await writeChunk(session.output, answer, ctx.signal);
}

/** From memory when nothing has changed; else by a short git command under `git_page`. */
export async function readSnapshot(
  ctx: Context,
  { snapshots, admission }: Pick<GitServices, 'snapshots' | 'admission'>,
  { target, class: clientClass }: Pick<FetchSession, 'target' | 'class'>,
): Promise<RefSnapshot | Refusal> {
  const current = snapshots.current(target.gitDir);
  if (current !== undefined) return current;
  const permit = await admission.gitPage.acquire(ctx, { class: clientClass, clientKey: 'refs' });
  if (permit.kind === 'refused') return permit;
  try {
    return await snapshots.read(ctx, target.gitDir, target.state.refFormat);
  } finally {
    permit.release();
  }
}

async function answerFetch(
  ctx: Context,
  services: GitServices,
  session: FetchSession,
  request: { readonly first: Packet; readonly reader: PacketReader },
): Promise<void> {
  const { reader } = request;
  const held: Buffer[] = [encode(request.first)];
  let complete = false;
  for (let bytes = 0; !complete && bytes < heldBytes;) {
    const packet = await nextInRequest(reader);
    const encoded = encode(packet);
    held.push(encoded);
    bytes += encoded.length;
    complete = packet.kind === 'flush';
  }
  const permit = await session.admit(ctx);
  if (permit.kind === 'refused') {
    await writeChunk(session.output, encodeError(permit.sentence), ctx.signal);
    return;
  }
  try {
    const child = await startUploadPack(ctx, services.git, {
      gitDir: session.target.gitDir,
      protocol: session.protocol,
      stateless: true,
    });
    await runGitService(ctx, {
      child,
      input: requestBytes(held, reader, complete),
      output: session.output,
      framing: new OutputFraming('text'),
      duration: services.admission.gitDuration,
      class: session.class,
    });
  } finally {
    permit.release();
  }
}

async function* requestBytes(
  held: readonly Buffer[],
  reader: PacketReader,
  complete: boolean,
): AsyncGenerator<Buffer> {
  yield Buffer.concat(held);
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

/** v0 and v1: the whole request goes to one child. @returns the refusal, when there was one. */
export async function answerV0(
  ctx: Context,
  services: GitServices,
  session: FetchSession,
  request: { readonly input: AsyncIterable<Buffer>; readonly stateless: boolean },
): Promise<Refusal | undefined> {
  const permit = await session.admit(ctx);
  if (permit.kind === 'refused') {
    await writeChunk(session.output, encodeError(permit.sentence), ctx.signal);
    return permit;
  }
  try {
    const child = await startUploadPack(ctx, services.git, {
      gitDir: session.target.gitDir,
      protocol: session.protocol,
      stateless: request.stateless,
    });
    await runGitService(ctx, {
      child,
      input: request.input,
      output: session.output,
      framing: new OutputFraming('text'),
      duration: services.admission.gitDuration,
      class: session.class,
      toleratesFailure: true,
    });
    return undefined;
  } finally {
    permit.release();
  }
}
