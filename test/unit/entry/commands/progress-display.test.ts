import { expect, test } from 'vitest';
import { createProgressDisplay, renderProgress } from '#entry/commands/progress-display.ts';

function record(isTTY: boolean) {
  let text = '';
  const display = createProgressDisplay({
    isTTY,
    columns: 40,
    write: (more) => void (text += more),
  });
  return { display, read: () => text };
}

test('a bar says how far it is, and nothing of the sort while nobody knows', () => {
  expect(renderProgress({ phase: 'receiving objects', percent: 50 })).toBe(
    `Receiving objects [${'#'.repeat(15)}${'-'.repeat(15)}] 50 %`,
  );
  expect(renderProgress({ phase: 'Counting', percent: null })).toBe('Counting …');
  expect(renderProgress({ phase: 'x\x1b', percent: 200 })).toMatch(/^X\u{FFFD} \[#{30}\] 200 %$/u);
});

test('on a terminal the line redraws itself, within its width, and goes at the end', () => {
  const { display, read } = record(true);
  display.show({ phase: 'Receiving objects', percent: 50 });
  display.show({ phase: 'Receiving objects', percent: 50 });
  display.clear();
  display.clear();
  const [, first = '', last] = read().split('\r\x1b[K');
  expect(first).toHaveLength(39);
  expect(last).toBe('');
});

test('elsewhere there is a line for each phase', () => {
  const { display, read } = record(false);
  display.show({ phase: 'Counting', percent: null });
  display.show({ phase: 'Receiving', percent: 1 });
  display.show({ phase: 'Receiving', percent: 2 });
  display.clear();
  expect(read()).toBe('Counting\nReceiving\n');
});
