// A child's exit is told before its last output has been read: this waits for the rest of a pipe.
// Bounded, because a process that left the group (setsid) may hold the other end open for ever.

import type { Readable } from 'node:stream';

/** Resolves when the stream, which somebody reads, has closed; destroys it after `withinMs`. */
export function awaitClosed(stream: Readable, withinMs = 500): Promise<void> {
  if (stream.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => stream.destroy(), withinMs);
    stream.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
