// The bound on hashing at once.

import { expect, test } from 'vitest';
import { createTestPasswordSlots } from '#support/password-slots.ts';
import { eventually } from '#support/eventually.ts';
import { silentLog } from '#kernel/log.ts';

function open() {
  const controller = new AbortController();
  return { controller, ctx: { signal: controller.signal, log: silentLog } };
}

test('never more run than there are slots, in the order they came, and the queue ends in a refusal', async () => {
  const slots = createTestPasswordSlots(2, 2);
  const { ctx } = open();
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const runs = gates.slice(0, 4).map((gate, at) =>
    slots.run(ctx, () => {
      begun.push(at);
      return gate.promise;
    }),
  );
  await expect(slots.run(ctx, async () => {})).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  expect(begun).toEqual([0, 1]);
  gates[1]?.resolve();
  await eventually('the next in line runs', () => begun.length === 3);
  for (const gate of gates) gate.resolve();
  await Promise.all(runs);
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('who goes away while waiting leaves its place, and a failure gives its slot back', async () => {
  const slots = createTestPasswordSlots(1, 1);
  const { ctx } = open();
  const gone = open();
  const gate = Promise.withResolvers<void>();
  const first = slots.run(ctx, async () => {
    await gate.promise;
    throw new Error('failed');
  });
  const waiting = slots.run(gone.ctx, async () => 'never');
  gone.controller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  const next = slots.run(ctx, async () => 'next');
  gate.resolve();
  await expect(first).rejects.toThrow('failed');
  expect(await next).toBe('next');
});
