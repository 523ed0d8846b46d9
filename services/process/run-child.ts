// Runs a program to its end and collects its output: for short commands whose answer is small.
// A non-zero exit is a result, not an error: the caller knows what it means.

import { ForgeError } from '#kernel/forge-error.ts';
import type { Context } from '#kernel/context.ts';
import { awaitClosed } from '#process/await-closed.ts';
import { type ChildExit, type ChildSpec, startChild } from '#process/start-child.ts';

export type RunResult = ChildExit & { readonly stdout: Buffer };

/**
 * @param input written to stdin, which is then closed.
 * @throws OUTPUT_TOO_LARGE past `maxBytes` of stdout; the signal's reason when aborted; SPAWN_FAILED.
 */
export async function runChild(
  ctx: Context,
  spec: ChildSpec & { readonly input?: string | Buffer; readonly maxBytes?: number },
): Promise<RunResult> {
  const child = await startChild(ctx, spec);
  const maxBytes = spec.maxBytes ?? 16 * 2 ** 20;
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else child.stop('shutdown');
  });
  child.stdin.end(spec.input ?? '');
  const exit = await child.ended;
  await awaitClosed(child.stdout);
  ctx.signal.throwIfAborted();
  if (bytes > maxBytes)
    throw new ForgeError('OUTPUT_TOO_LARGE', { program: spec.program, maxBytes });
  return { ...exit, stdout: Buffer.concat(chunks) };
}
