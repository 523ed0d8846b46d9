// The two POST bodies of a v2 clone and what their small answers say, as git itself sends and reads them.

import { encodePacket, parsePackets } from '#load/client/pkt-line.ts';

/** `ls-refs` as a clone asks it. */
export const lsRefsRequest = [
  encodePacket('command=ls-refs\n'),
  encodePacket('agent=warren-bench'),
  encodePacket('object-format=sha1'),
  '0001',
  encodePacket('peel\n'),
  encodePacket('symrefs\n'),
  encodePacket('ref-prefix HEAD\n'),
  encodePacket('ref-prefix refs/heads/\n'),
  encodePacket('ref-prefix refs/tags/\n'),
  '0000',
].join('');

/** `fetch` of everything wanted, without negotiation. */
export function buildFetchRequest(wants: readonly string[], depth?: number): string {
  return [
    encodePacket('command=fetch'),
    encodePacket('object-format=sha1'),
    '0001',
    encodePacket('thin-pack'),
    encodePacket('no-progress'),
    encodePacket('ofs-delta'),
    ...(depth === undefined ? [] : [encodePacket(`deepen ${depth}`)]),
    ...wants.map((oid) => encodePacket(`want ${oid}\n`)),
    encodePacket('done\n'),
    '0000',
  ].join('');
}

/**
 * Checks a v2 capability advertisement.
 * @throws Error when it is none, or is cut.
 */
export function checkAdvertisement(body: Buffer): void {
  const packets = parsePackets(body);
  const service = packets.at(0);
  const start = service?.kind === 'data' && String(service.data).startsWith('# service=') ? 2 : 0;
  const version = packets.at(start);
  if (version?.kind !== 'data' || String(version.data).trim() !== 'version 2')
    throw new Error('info/refs does not begin with version 2');
  if (packets.at(-1)?.kind !== 'flush') throw new Error('info/refs is not ended by a flush');
}

/**
 * The distinct object ids of an ls-refs answer, HEAD's included.
 * @throws Error when it is cut, an error, or lists nothing.
 */
export function parseListedOids(body: Buffer): string[] {
  const packets = parsePackets(body);
  if (packets.at(-1)?.kind !== 'flush') throw new Error('ls-refs is not ended by a flush');
  const oids = packets
    .filter((packet) => packet.kind === 'data')
    .map(({ data }) => /^[0-9a-f]{40} /.exec(data.toString('latin1'))?.[0].trim())
    .filter((oid) => oid !== undefined);
  if (oids.length === 0) throw new Error('ls-refs lists no refs');
  return [...new Set(oids)];
}

/** The text of an `ERR` packet at the start of a body: a refusal or error that looks like HTTP 200. */
export function errorPacketText(body: Buffer): string | undefined {
  return body.subarray(4, 8).toString('latin1') === 'ERR '
    ? body.subarray(8).toString('utf8').trim()
    : undefined;
}
