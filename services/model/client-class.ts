// Who is asking, as far as limits care: a closed label set of metrics.

import { assertNever } from '#kernel/assert-never.ts';
import type { Actor } from '#model/actor.ts';

export const clientClasses = [
  'operator',
  'auth_write',
  'auth_read',
  'anon_cheap',
  'anon_costly',
] as const;
export type ClientClass = (typeof clientClasses)[number];

/** The class of a request by who asks and what it costs. */
export function classifyClient(actor: Actor, work: 'write' | 'cheap' | 'costly'): ClientClass {
  switch (actor.kind) {
    case 'anonymous':
      return work === 'cheap' ? 'anon_cheap' : 'anon_costly';
    case 'account':
      return work === 'write' ? 'auth_write' : 'auth_read';
    default:
      return assertNever(actor);
  }
}
