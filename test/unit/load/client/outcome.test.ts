import { describe, expect, it } from 'vitest';
import { createTally, ratePerSecond, refusalFault } from '#load/client/outcome.ts';

const refusal = {
  status: 429,
  retryAfter: '2',
  limit: 'git_http;reason=queue_full',
  cacheControl: 'no-store',
  text: 'full',
};

describe('refusalFault', () => {
  it('finds nothing wrong with a refusal by the contract', () => {
    expect(refusalFault(refusal)).toBeUndefined();
  });

  it.each([
    [{ status: 503 }, 'status 503'],
    [{ retryAfter: '1.5' }, 'Retry-After 1.5'],
    [{ retryAfter: '0' }, 'Retry-After 0'],
    [{ retryAfter: undefined }, 'Retry-After missing'],
    [{ limit: 'git_http' }, 'X-Warren-Limit git_http'],
    [{ cacheControl: undefined }, 'Cache-Control missing'],
  ])('names what is wrong: %o', (change, fault) => {
    expect(refusalFault({ ...refusal, ...change })).toContain(fault);
  });
});

describe('a tally', () => {
  it('keeps successes, refusals and failures apart', () => {
    const tally = createTally();
    tally.add({ kind: 'ok', durationMs: 5, packBytes: 100 });
    tally.add({ kind: 'ok', durationMs: 7, packBytes: 100 });
    tally.add({ kind: 'refused', refusal });
    tally.add({ kind: 'refused', refusal: { ...refusal, status: 503 } });
    tally.add({ kind: 'failed', reason: 'cut' });
    tally.add({ kind: 'failed', reason: 'cut' });
    const sum = tally.finish(500);
    expect(sum).toMatchObject({
      durationsMs: [5, 7],
      packBytes: 200,
      refusals: 2,
      refusalsByLimit: { 'git_http;reason=queue_full': 2 },
      malformedCount: 1,
      failures: 2,
      failureReasons: { cut: 2 },
    });
    expect(ratePerSecond(sum)).toBe(4);
  });
});
