// Which address a request comes from, and the key its limits count under.
// X-Forwarded-For is read only when the peer is a trusted proxy, right to left to the first address that is none:
// anything else lets a client choose its own key. Counted by source, so that a wrong set-up shows in metrics.

import ipaddr from 'ipaddr.js';
import { ForgeError } from '#kernel/forge-error.ts';
import type { Actor } from '#model/actor.ts';

export type AddressSource = 'socket' | 'forwarded' | 'rejected_forwarded' | 'missing';
export type ClientAddress = { readonly address: string; readonly source: AddressSource };

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** @throws CONFIG_INVALID naming the entry that is no address or CIDR. */
export function parseTrustedProxies(entries: readonly string[]): readonly Range[] {
  return entries.map((entry) => {
    try {
      const text = entry.includes('/')
        ? entry
        : `${entry}/${ipaddr.parse(entry).kind() === 'ipv4' ? 32 : 128}`;
      return ipaddr.parseCIDR(text);
    } catch (cause) {
      const sentence = `WARREN_TRUSTED_PROXIES: "${entry}" is no address or CIDR`;
      throw new ForgeError('CONFIG_INVALID', { problems: [sentence], sentence }, { cause });
    }
  });
}

/** @param peer the socket's remote address; @param forwarded the X-Forwarded-For header, joined. */
export function resolveClientAddress(
  peer: string | undefined,
  forwarded: string | undefined,
  trusted: readonly Range[],
): ClientAddress {
  if (peer === undefined) return { address: 'unknown', source: 'missing' };
  if (forwarded === undefined) return { address: peer, source: 'socket' };
  if (!isTrusted(peer, trusted)) return { address: peer, source: 'rejected_forwarded' };
  const hops = forwarded.split(',').map((hop) => hop.trim());
  for (const hop of hops.toReversed()) {
    if (!ipaddr.isValid(hop)) return { address: peer, source: 'rejected_forwarded' };
    if (!isTrusted(hop, trusted)) return { address: hop, source: 'forwarded' };
  }
  return { address: hops[0] ?? peer, source: 'forwarded' };
}

function isTrusted(address: string, trusted: readonly Range[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return trusted.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
  );
}

/** Account when signed in; else the IPv4 address or the IPv6 /64 (a /64 is one subscriber's). */
export function clientKeyOf(actor: Actor, address: string): string {
  if (actor.kind === 'account') return `account:${actor.name}`;
  if (!ipaddr.isValid(address)) return `address:${address}`;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return `address:${parsed.toString()}`;
  const network = parsed.toByteArray().slice(0, 8);
  return `address:${Buffer.from(network).toString('hex')}/64`;
}
