import { expect, it } from 'vitest';
import { parseReadyLine } from '#load/server/ready-line.ts';

it('finds the addresses in the ready line and nothing in the lines npm prints', () => {
  expect(parseReadyLine('> warren@0.1.0 start')).toBeUndefined();
  expect(parseReadyLine('{"event":"other"}')).toBeUndefined();
  expect(parseReadyLine('{"event":"ready","http":"a","ssh":"b","admin":"c"}')).toEqual({
    http: 'a',
    ssh: 'b',
    admin: 'c',
  });
});
