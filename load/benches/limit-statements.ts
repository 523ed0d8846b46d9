// What must be true of a limit, stated over what the phases of the limit bench saw.

import type { Phase } from '#load/benches/limit-phases.ts';
import type { Statement } from '#load/report/result-row.ts';

export type LimitObservation = {
  readonly slots: number;
  /** 16 looping clients, before and after the overload. */
  readonly atLimit: readonly Phase[];
  readonly overload: Phase;
  /** ls-remote and up-to-date fetches, raw and by real git. */
  readonly listings: readonly [Phase, ...Phase[]];
  /** Listings a second by 32 clients, divided by those by 4. */
  readonly listingRatio: number;
  readonly goodputRatio: number;
  /** Windows of a few seconds differ by more than the 10 % the goodput is judged by. */
  readonly judgesGoodput: boolean;
  readonly secondsUntilNormal: number;
};

/** Every statement, true or not. */
export function limitStatements(seen: LimitObservation): Statement[] {
  const { slots, atLimit, overload, listings } = seen;
  const all = [...atLimit, overload, ...listings];
  const most = Math.max(...all.map(({ watch }) => watch.mostInUse));
  const readings = sum(all, ({ watch }) => watch.readings);
  return [
    statement(
      `never more than ${slots} slots in use`,
      most <= slots,
      `${most} in ${readings} readings`,
    ),
    statement(
      `${slots} looping clients are never refused`,
      sum(atLimit, ({ load, serverRefusals }) => load.refusals + serverRefusals) === 0,
      `${sum(atLimit, ({ load }) => load.durationsMs.length)} clones, ${refused(atLimit)} refused`,
    ),
    statement(
      'past the limit some are refused, at info/refs with 429, integer Retry-After and X-Warren-Limit',
      overload.load.refusals > 0 && overload.load.malformedCount === 0,
      `${overload.load.refusals} refused ${JSON.stringify(overload.load.refusalsByLimit)}, ` +
        `${overload.load.malformedCount} malformed ${overload.load.malformed.slice(0, 2).join('; ')}`.trim(),
    ),
    statement(
      'nothing fails after admission, and no failure is not a refusal',
      sum(all, ({ load }) => load.failures) === 0,
      failures(all),
    ),
    statement(
      'clients and server count the same refusals',
      all.every(({ load, serverRefusals }) => load.refusals === serverRefusals),
      all.map(({ load, serverRefusals }) => `${load.refusals} = ${serverRefusals}`).join(', '),
    ),
    statement(
      'goodput past the limit is within 10 % of that at the limit',
      !seen.judgesGoodput || seen.goodputRatio >= 0.9,
      `${seen.goodputRatio.toFixed(2)}x${seen.judgesGoodput ? '' : ', not judged with --quick'}`,
    ),
    statement(
      'back to normal within 5 s: no slot in use, a single clone within 2x of before',
      seen.secondsUntilNormal <= 5 && overload.idleAfterMs <= 5_000,
      `slots free after ${overload.idleAfterMs.toFixed(0)} ms, normal after ${seen.secondsUntilNormal.toFixed(1)} s`,
    ),
    statement(
      'ls-remote and up-to-date fetches are never refused and hold no slot past their answer',
      refused(listings) === 0 && sum(listings, ({ inUseAfter }) => inUseAfter) === 0,
      `${sum(listings, ({ load }) => load.durationsMs.length)} answered, ${refused(listings)} refused, ` +
        `${sum(listings, ({ inUseAfter }) => inUseAfter)} slots in use after`,
    ),
    statement(
      'a listing leaves nothing behind that others wait for: 32 clients list at least half as fast as 4',
      seen.listingRatio >= 0.5,
      `${seen.listingRatio.toFixed(2)}x`,
    ),
  ];
}

function statement(text: string, holds: boolean, seen: string): Statement {
  return { text, holds, seen };
}

function sum(phases: readonly Phase[], of: (phase: Phase) => number): number {
  return phases.reduce((total, phase) => total + of(phase), 0);
}

function refused(phases: readonly Phase[]): number {
  return sum(phases, ({ load }) => load.refusals);
}

function failures(phases: readonly Phase[]): string {
  const reasons = phases.flatMap(({ load }) => Object.entries(load.failureReasons));
  if (reasons.length === 0) return 'none failed';
  return reasons
    .slice(0, 4)
    .map(([reason, times]) => `${times} x ${reason}`)
    .join('; ');
}
