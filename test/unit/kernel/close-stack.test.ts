// What was opened last closes first, everything closes, and failures are told together.

import { expect, test } from 'vitest';
import { CloseStack } from '#kernel/close-stack.ts';

test('closes in reverse order, each to its end before the next', async () => {
  const stack = new CloseStack();
  const order: string[] = [];
  for (const name of ['database', 'server', 'port']) {
    stack.defer(name, async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
    });
  }
  await stack.close();
  expect(order).toEqual([
    'port begins',
    'port ends',
    'server begins',
    'server ends',
    'database begins',
    'database ends',
  ]);
});

test('closes once however often it is asked, and every caller waits for the same end', async () => {
  const stack = new CloseStack();
  let count = 0;
  stack.defer('one', async () => {
    await Promise.resolve();
    count++;
  });
  await Promise.all([stack.close(), stack.close()]);
  await stack.close();
  expect(count).toBe(1);
});

test('a closer that fails does not keep the others open', async () => {
  const stack = new CloseStack();
  const closed: string[] = [];
  const broken = new Error('disk');
  stack.defer('first', () => void closed.push('first'));
  stack.defer('second', () => {
    throw broken;
  });
  stack.defer('third', () => Promise.reject(broken));
  stack.defer('fourth', () => void closed.push('fourth'));
  const error: unknown = await stack.close().catch((thrown: unknown) => thrown);
  expect(closed).toEqual(['fourth', 'first']);
  expect(error).toMatchObject({
    errors: [
      { message: 'closing third failed', cause: broken },
      { message: 'closing second failed', cause: broken },
    ],
  });
});

test('an empty stack closes', async () => {
  await new CloseStack().close();
});

test('what a start defers while all is closing is closed too', async () => {
  const stack = new CloseStack();
  const closed: string[] = [];
  stack.defer('first', () => void closed.push('first'));
  stack.defer('second', async () => {
    await Promise.resolve();
    closed.push('second');
  });
  const closing = stack.close();
  stack.defer('late', () => void closed.push('late'));
  await closing;
  expect(closed).toEqual(['second', 'late', 'first']);
});

test('what comes after the end is closed, and its opener is told', async () => {
  const stack = new CloseStack();
  await stack.close();
  let closed = false;
  expect(() => stack.defer('listener', () => void (closed = true))).toThrow(
    'The server is shutting down: listener came too late',
  );
  expect(closed).toBe(true);
});
