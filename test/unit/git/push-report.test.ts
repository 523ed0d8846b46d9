// The answers to a push that git never saw, by what the client understands.

import { expect, test } from 'vitest';
import { renderPushFailure, renderPushRefusal } from '#git/push-report.ts';

const refusals = [{ refName: 'refs/heads/x', reason: 'no' }];
const banded = new Set(['report-status', 'side-band-64k']);
const band = String.fromCharCode;

test('with a sideband: the sentence on band 2, the report on band 1', () => {
  const report = '000eunpack ok\n0017ng refs/heads/x no\n0000';
  expect(renderPushRefusal(banded, refusals, 'why').toString('latin1')).toBe(
    `0009${band(2)}why\n${(report.length + 5).toString(16).padStart(4, '0')}${band(1)}${report}0000`,
  );
});

test('without one: the report alone; without that: nothing', () => {
  expect(renderPushRefusal(new Set(['report-status']), refusals, 'why').toString()).toBe(
    '000eunpack ok\n0017ng refs/heads/x no\n0000',
  );
  expect(renderPushRefusal(new Set(), refusals, 'why')).toHaveLength(0);
});

test('a report of many refs comes in packets that the small sideband takes', () => {
  const many = Array.from({ length: 200 }, (_, at) => ({
    refName: `refs/heads/${at}`,
    reason: 'no',
  }));
  const answer = renderPushRefusal(new Set(['report-status', 'side-band']), many, 'why');
  let at = 0;
  while (at < answer.length) {
    const length = Number.parseInt(answer.toString('latin1', at, at + 4), 16);
    expect(length).toBeLessThanOrEqual(1000);
    at += Math.max(4, length);
  }
  expect(at).toBe(answer.length);
});

test('a failure is band 3, or the unpack line of the report', () => {
  expect(renderPushFailure(banded, 'busy').toString('latin1')).toBe(`000a${band(3)}busy\n0000`);
  expect(renderPushFailure(new Set(), 'busy').toString()).toBe('0010unpack busy\n0000');
});
