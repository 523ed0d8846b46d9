// Writes to a response or SSH channel and waits while it is full, so that memory stays flat with a slow reader.

import type { Writable } from 'node:stream';
import { onAbort } from '#kernel/abort.ts';
import { ForgeError } from '#kernel/forge-error.ts';

/** Resolves when the writable takes more; rejects when the signal aborts first or it is closed. */
export function writeChunk(
  writable: Writable,
  chunk: Buffer,
  signal: AbortSignal,
): Promise<void> | undefined {
  if (writable.destroyed) throw new ForgeError('CANCELLED');
  if (writable.write(chunk)) return undefined;
  return drained(writable, signal);
}

/**
 * Writes several chunks at once and resolves when the kernel has them: their memory may then be used again.
 * Rejects when the signal aborts first or the writable is closed.
 */
export function flushChunks(
  writable: Writable,
  chunks: readonly Buffer[],
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (writable.destroyed || signal.aborted) {
      reject(new ForgeError('CANCELLED'));
      return;
    }
    const listening = onAbort(signal, () => reject(new ForgeError('CANCELLED')));
    const done = (error: Error | null | undefined) => {
      listening[Symbol.dispose]();
      if (error instanceof Error) reject(new ForgeError('CANCELLED', {}, { cause: error }));
      else resolve();
    };
    writable.cork();
    for (const chunk of chunks.slice(0, -1)) writable.write(chunk);
    writable.write(chunks.at(-1), done);
    writable.uncork();
  });
}

function drained(writable: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      writable.off('drain', onDrain);
      writable.off('close', onClose);
      listening[Symbol.dispose]();
      act();
    };
    const onDrain = () => settle(resolve);
    const onClose = () => settle(() => reject(new ForgeError('CANCELLED')));
    writable.on('drain', onDrain);
    writable.on('close', onClose);
    const listening = onAbort(signal, () => {
      writable.off('drain', onDrain);
      writable.off('close', onClose);
      reject(new ForgeError('CANCELLED'));
    });
  });
}
