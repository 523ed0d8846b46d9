// What a start tells a program and a person.

import { expect, test } from 'vitest';
import { renderGreeting, renderReadyLine, type StartFacts } from '#entry/start-message.ts';

const facts: StartFacts = {
  addresses: {
    http: 'http://localhost:1',
    ssh: 'ssh://git@localhost:2',
    admin: 'http://localhost:3',
  },
  adminToken: `wrn_${'a'.repeat(40)}`,
  tokenFile: '/data/admin-token',
  samplePath: 'demo/hello',
  catalogDirectory: './catalog',
};

test('a program gets one line, without the token', () => {
  expect(renderReadyLine(facts)).toBe(
    '{"event":"ready","http":"http://localhost:1","ssh":"ssh://git@localhost:2","admin":"http://localhost:3"}',
  );
});

test('a person gets the clone command, the pages and, the first time, the token', () => {
  const greeting = renderGreeting(facts);
  expect(greeting).toContain('git clone http://localhost:1/demo/hello.git');
  expect(greeting).toContain(facts.adminToken);
  expect(renderGreeting({ ...facts, adminToken: undefined })).not.toContain('wrn_');
  expect(renderGreeting({ ...facts, samplePath: undefined })).not.toContain('git clone');
});
