// The listings of refs that clients ask for, built from a snapshot without a git process. Pure.
// Sources: gitprotocol-v2 (ls-refs), gitprotocol-pack and gitprotocol-http (reference discovery).

import { ForgeError } from '#kernel/forge-error.ts';
import { type ObjectFormat, zeroOid } from '#model/oid.ts';
import { isInternalRef, isListed } from '#git/hidden-refs.ts';
import { encodePacket, flushPacket } from '#git/pkt-line.ts';
import type { Ref, RefSnapshot } from '#git/ref-snapshot.ts';

export type LsRefsRequest = {
  readonly peel: boolean;
  readonly symrefs: boolean;
  readonly unborn: boolean;
  readonly prefixes: readonly string[];
};

/** What a client may send before it counts as nonsense; git itself stops filtering at this number. */
const maxPrefixes = 65_536;

/** @throws PROTOCOL_ERROR for an argument ls-refs does not have. */
export function parseLsRefs(lines: readonly string[]): LsRefsRequest {
  const flags = { peel: false, symrefs: false, unborn: false };
  const prefixes: string[] = [];
  for (const line of lines) {
    if (line === 'peel' || line === 'symrefs' || line === 'unborn') flags[line] = true;
    else if (line.startsWith('ref-prefix ')) prefixes.push(line.slice('ref-prefix '.length));
    else {
      throw new ForgeError('PROTOCOL_ERROR', { sentence: 'ls-refs does not know an argument' });
    }
  }
  return { ...flags, prefixes: prefixes.length > maxPrefixes ? [] : prefixes };
}

/** The answer to ls-refs, ending in a flush. */
export function renderLsRefs(snapshot: RefSnapshot, request: LsRefsRequest): Buffer {
  const { prefixes } = request;
  const matches = (name: string) =>
    prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
  const packets: Buffer[] = [];
  if (matches('HEAD')) {
    const line = headLine(snapshot, request);
    if (line !== undefined) packets.push(encodePacket(line));
  }
  for (const ref of snapshot.refs) {
    if (!matches(ref.name) || !isListed(ref.name, prefixes)) continue;
    packets.push(encodePacket(refLine(ref, request)));
  }
  packets.push(flushPacket);
  return Buffer.concat(packets);
}

function headLine(
  { headTarget, headOid }: RefSnapshot,
  { symrefs, unborn }: LsRefsRequest,
): string | undefined {
  const target = symrefs && headTarget !== undefined ? ` symref-target:${headTarget}` : '';
  if (headOid !== undefined) return `${headOid} HEAD${target}\n`;
  return unborn && headTarget !== undefined ? `unborn HEAD${target}\n` : undefined;
}

function refLine(ref: Ref, { peel, symrefs }: LsRefsRequest): string {
  const symref =
    symrefs && ref.symrefTarget !== undefined ? ` symref-target:${ref.symrefTarget}` : '';
  const peeled = peel && ref.peeled !== undefined ? ` peeled:${ref.peeled}` : '';
  return `${ref.oid} ${ref.name}${symref}${peeled}\n`;
}

/** What receive-pack advertises (v0): every ref a push may see, with capabilities on the first line. */
export function renderPushAdvertisement(
  snapshot: RefSnapshot,
  capabilities: string,
  objectFormat: ObjectFormat,
): Buffer {
  const refs = snapshot.refs.filter(({ name }) => !isInternalRef(name));
  const [first, ...others] = refs;
  const head =
    first === undefined ? `${zeroOid(objectFormat)} capabilities^{}` : `${first.oid} ${first.name}`;
  return Buffer.concat([
    encodePacket(`${head}\0${capabilities}\n`),
    ...others.map(({ oid, name }) => encodePacket(`${oid} ${name}\n`)),
    flushPacket,
  ]);
}
