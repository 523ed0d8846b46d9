// Keeps the last bytes of a child's stderr, bounded in bytes and line length: metadata of errors, never their message.

import type { Readable } from 'node:stream';

const maxLineChars = 500;

/** Consumes the stream to its end and returns a reader of its tail. */
export function keepTail(stream: Readable, maxBytes = 8192): () => string {
  let tail = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]);
    if (tail.length > maxBytes) tail = tail.subarray(tail.length - maxBytes);
  });
  stream.on('error', () => {}); // The exit tells what happened; a broken stderr adds nothing.
  return () =>
    tail
      .toString('utf8')
      .split('\n')
      .map((line) => line.slice(0, maxLineChars))
      .join('\n')
      .trim();
}
