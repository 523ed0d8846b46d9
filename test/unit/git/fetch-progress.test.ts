// What git says while it fetches, as phases and percent.

import { expect, test } from 'vitest';
import { createProgressReader, type FetchProgress } from '#git/fetch-progress.ts';

function readProgress(...chunks: readonly string[]): { seen: FetchProgress[]; messages: string } {
  const seen: FetchProgress[] = [];
  const reader = createProgressReader((progress) => seen.push(progress));
  for (const chunk of chunks) reader.take(Buffer.from(chunk));
  return { seen, messages: reader.messages() };
}

const output =
  "Cloning into bare repository 'x'...\nremote: Enumerating objects: 12, done.\n" +
  'Receiving objects:  45% (9/20)\rReceiving objects: 100% (20/20), done.\n' +
  'Resolving deltas: 100% (3/3), done.\n';

test('phases and percent, and the lines that are none', () => {
  expect(readProgress(output)).toEqual({
    seen: [
      { phase: 'Enumerating objects', percent: undefined },
      { phase: 'Receiving objects', percent: 45 },
      { phase: 'Receiving objects', percent: 100 },
      { phase: 'Resolving deltas', percent: 100 },
    ],
    messages: "Cloning into bare repository 'x'...",
  });
});

test('the same wherever the output is cut', () => {
  const whole = readProgress(output);
  for (let cut = 0; cut <= output.length; cut++) {
    expect(readProgress(output.slice(0, cut), output.slice(cut))).toEqual(whole);
  }
});

test('a state that is told twice counts once', () => {
  expect(readProgress('Receiving objects: 1%\r', 'Receiving objects: 1%\r').seen).toHaveLength(1);
});

test('of many messages the last are kept, and a last one without a newline', () => {
  const { messages } = readProgress('line\n'.repeat(100), `fatal: ${'x'.repeat(5000)}`);
  expect(messages.split('\n').length).toBeLessThanOrEqual(22);
  expect(messages.length).toBeLessThan(2000);
  expect(readProgress('fatal: no such host').messages).toBe('fatal: no such host');
});
