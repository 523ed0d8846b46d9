// The answer to a push that git never saw: per-ref status and a sentence, as receive-pack itself would send it.
// Source: gitprotocol-pack, "Report Status". Pure.

import { encodeBand, encodePacket, flushPacket } from '#git/pkt-line.ts';

export type RefRefusal = { readonly refName: string; readonly reason: string };

/**
 * @param refusals every ref of the push, with its reason (one line, a few words).
 * @param sentence printed by the client as `remote: …`; may have several lines.
 */
export function renderPushRefusal(
  capabilities: ReadonlySet<string>,
  refusals: readonly RefRefusal[],
  sentence: string,
): Buffer {
  const report = Buffer.concat([
    encodePacket('unpack ok\n'),
    ...refusals.map(({ refName, reason }) => encodePacket(`ng ${refName} ${reason}\n`)),
    flushPacket,
  ]);
  const wantsReport = capabilities.has('report-status') || capabilities.has('report-status-v2');
  const banded = capabilities.has('side-band-64k') || capabilities.has('side-band');
  if (!banded) return wantsReport ? report : Buffer.alloc(0);
  return Buffer.concat([
    encodeBand(2, `${sentence}\n`),
    ...(wantsReport ? chunk(report).map((part) => encodeBand(1, part)) : []),
    flushPacket,
  ]);
}

/** A fatal error on band 3: the client prints it and fails, whatever it waits for. */
export function renderPushFailure(capabilities: ReadonlySet<string>, sentence: string): Buffer {
  const banded = capabilities.has('side-band-64k') || capabilities.has('side-band');
  if (!banded) return Buffer.concat([encodePacket(`unpack ${sentence}\n`), flushPacket]);
  return Buffer.concat([encodeBand(3, `${sentence}\n`), flushPacket]);
}

/** The small side-band allows 1,000 bytes a packet; both kinds take that. */
function chunk(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 990) parts.push(bytes.subarray(at, at + 990));
  return parts;
}
