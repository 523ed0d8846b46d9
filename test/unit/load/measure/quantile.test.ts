import { describe, expect, it } from 'vitest';
import { median, quantile } from '#load/measure/quantile.ts';

describe('quantiles', () => {
  it('are samples that happened', () => {
    const samples = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect(quantile(samples, 0.5)).toBe(50);
    expect(quantile(samples, 0.99)).toBe(99);
    expect(quantile([3], 0.99)).toBe(3);
  });

  it('take the middle of an even number for the median', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([9, 1, 3])).toBe(3);
  });

  it('are not a number without samples', () => {
    expect(median([])).toBeNaN();
    expect(quantile([], 0.5)).toBeNaN();
  });
});
