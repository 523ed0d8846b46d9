import { describe, expect, it } from 'vitest';
import { parseUsage } from '#load/measure/cpu-meter.ts';

describe('the usage of a control group', () => {
  it('is one number in version 1 and a line among others in version 2', () => {
    expect(parseUsage('123456789\n')).toBe(123_456_789);
    expect(parseUsage('usage_usec 4200\nuser_usec 4000\nsystem_usec 200\n')).toBe(4_200);
    expect(parseUsage('nothing')).toBeNaN();
  });
});
