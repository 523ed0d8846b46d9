import { describe, expect, it } from 'vitest';
import {
  buildFetchRequest,
  checkAdvertisement,
  errorPacketText,
  parseListedOids,
} from '#load/client/v2-requests.ts';

const oid = '0123456789abcdef0123456789abcdef01234567';

describe('requests of the raw client', () => {
  it('asks for a pack in the bytes that git itself sends', () => {
    expect(buildFetchRequest([oid])).toBe(
      '0011command=fetch0016object-format=sha10001000dthin-pack000fno-progress000dofs-delta' +
        `0032want ${oid}\n0009done\n0000`,
    );
  });

  it('deepens before it wants', () => {
    expect(buildFetchRequest([oid], 1)).toContain('000cdeepen 10032want');
  });

  it('accepts an advertisement of version 2, with or without the service line', () => {
    const capabilities = '000eversion 2\n0010agent=git/2\n0000';
    expect(() => checkAdvertisement(Buffer.from('000eversion 2\n0000'))).not.toThrow();
    expect(() =>
      checkAdvertisement(Buffer.from(`001e# service=git-upload-pack\n0000${capabilities}`)),
    ).not.toThrow();
    expect(() => checkAdvertisement(Buffer.from('000eversion 1\n0000'))).toThrow('version 2');
    expect(() => checkAdvertisement(Buffer.from('000eversion 2\n'))).toThrow('flush');
  });

  it('wants each listed object once', () => {
    const line = `${oid} HEAD\n`;
    const packet = (line.length + 4).toString(16).padStart(4, '0') + line;
    expect(parseListedOids(Buffer.from(`${packet}${packet}0000`))).toEqual([oid]);
    expect(() => parseListedOids(Buffer.from('0000'))).toThrow('no refs');
  });

  it('sees a refusal that looks like success', () => {
    expect(errorPacketText(Buffer.from('000dERR full\n'))).toBe('full');
    expect(errorPacketText(Buffer.from(`0032want ${oid}\n`))).toBeUndefined();
  });
});
