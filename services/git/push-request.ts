// The head of a receive-pack request: the ref updates a client asks for, its capabilities and push options.
// Source: gitprotocol-pack, "Reference Update Request". What follows (the pack) is left in the reader.

import { ForgeError } from '#kernel/forge-error.ts';
import { isOid, isZeroOid, type Oid } from '#model/oid.ts';
import type { PacketReader } from '#git/packet-reader.ts';
import { encodePacket, flushPacket } from '#git/pkt-line.ts';

export type RefUpdate = { readonly old: Oid; readonly new: Oid; readonly refName: string };

export type PushRequest = {
  readonly updates: readonly RefUpdate[];
  readonly capabilities: ReadonlySet<string>;
  /** The packets as they came, to be handed on to git in front of the rest of the body. */
  readonly head: Buffer;
  /** The client sent nothing but a flush: the probe before a large push. */
  readonly isProbe: boolean;
};

const maxHeadBytes = 16 * 2 ** 20;
const maxUpdates = 100_000;

/** @throws PROTOCOL_ERROR for what is no update request, or more than 100,000 updates. */
export async function readPushRequest(reader: PacketReader): Promise<PushRequest> {
  const lines = await readSection(reader, 'ref updates');
  const texts = lines.map((line) => line.toString('utf8'));
  if (texts.some((text) => text.startsWith('push-cert'))) {
    throw malformed('signed pushes are not accepted');
  }
  const commands = texts.filter((text) => !text.startsWith('shallow '));
  const capabilityList = commands[0]?.split('\0')[1]?.trim() ?? '';
  const capabilities = new Set(capabilityList.split(' '));
  const updates = commands.map((text) => parseUpdate(text.split('\0')[0] ?? ''));
  const options = capabilities.has('push-options') ? await readSection(reader, 'push options') : [];
  const sections = capabilities.has('push-options') ? [lines, options] : [lines];
  const head = Buffer.concat(
    sections.flatMap((section) => [...section.map((line) => encodePacket(line)), flushPacket]),
  );
  return { updates, capabilities, head, isProbe: lines.length === 0 };
}

/** The data packets up to a flush. */
async function readSection(reader: PacketReader, name: string): Promise<readonly Buffer[]> {
  const packets: Buffer[] = [];
  for (;;) {
    const packet = await reader.next();
    if (packet === undefined) throw malformed(`the body ends before the ${name} do`);
    if (packet.kind === 'flush') return packets;
    if (packet.kind !== 'data') throw malformed(`an unexpected packet in the ${name}`);
    if (reader.bytesRead > maxHeadBytes || packets.length >= maxUpdates) {
      throw malformed('a push has at most 100,000 ref updates and 16 MiB of them');
    }
    packets.push(packet.payload);
  }
}

function parseUpdate(line: string): RefUpdate {
  const [old = '', next = '', ...rest] = line.replace(/\n$/, '').split(' ');
  const refName = rest.join(' ');
  if (!isOid(old) || !isOid(next) || refName === '') throw malformed('a ref update is not valid');
  return { old, new: next, refName };
}

export type UpdateKind = 'create' | 'delete' | 'update';

export function updateKind(update: RefUpdate): UpdateKind {
  // First, because receive-pack deletes whatever the old id is, also when that is zero too.
  if (isZeroOid(update.new)) return 'delete';
  return isZeroOid(update.old) ? 'create' : 'update';
}

function malformed(sentence: string): ForgeError {
  return new ForgeError('PROTOCOL_ERROR', { sentence });
}
