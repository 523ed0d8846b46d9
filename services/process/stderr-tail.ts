// Keeps the last bytes of a child's stderr, bounded in bytes and line length: metadata of errors, never their message.

import type { Readable } from 'node:stream';
import { awaitClosed } from '#process/await-closed.ts';

const maxLineChars = 500;

/** Consumes the stream; what it returns gives the tail once the stream has closed, which follows the child's end. */
export function keepTail(stream: Readable, maxBytes = 8192): () => Promise<string> {
  let tail = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]);
    if (tail.length > maxBytes) tail = tail.subarray(tail.length - maxBytes);
  });
  stream.on('error', () => {}); // The exit tells what happened; a broken stderr adds nothing.
  return async () => {
    await awaitClosed(stream);
    return tail
      .toString('utf8')
      .split('\n')
      .map((line) => line.slice(0, maxLineChars))
      .join('\n')
      .trim();
  };
}
