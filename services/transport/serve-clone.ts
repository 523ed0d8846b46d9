// Answers a clone by pack-objects alone, framed here: one process instead of two. Called by serve-fetch for requests
// that clone-request recognises. What the client sees is what upload-pack would have sent (test/integration).

import type { Writable } from 'node:stream';
import type { Context } from '#kernel/context.ts';
import type { ClientClass } from '#model/client-class.ts';
import { type CloneRequest, planPackObjects, renderCloneHead } from '#git/clone-request.ts';
import { PackFraming } from '#git/pack-framing.ts';
import { encodeBand, flushPacket } from '#git/pkt-line.ts';
import type { Child } from '#process/start-child.ts';
import type { GitServices } from '#transport/git-services.ts';
import { runGitService, type ServiceOutcome } from '#transport/run-git-service.ts';
import { writeChunk } from '#transport/write-chunk.ts';

/** Proxies end a silent response after a minute or less; git says nothing while it counts and compresses. */
const keepAliveMs = 5000;

export async function answerClone(
  ctx: Context,
  services: GitServices,
  clone: CloneRequest,
  answer: { readonly gitDir: string; readonly output: Writable; readonly class: ClientClass },
): Promise<ServiceOutcome['result']> {
  const { gitDir, output } = answer;
  const { args, input } = planPackObjects(clone);
  const child = await services.git.start(ctx, {
    args: [`--git-dir=${gitDir}`, ...args],
    cwd: gitDir,
    label: 'pack-objects',
    streamStderr: true,
    tapped: true,
  });
  await writeChunk(output, renderCloneHead(clone), ctx.signal);
  const framing = new PackFraming();
  const stopRelaying = relayProgress(child, framing, output);
  const { result } = await runGitService(ctx, {
    child,
    input: once(Buffer.from(input)),
    output,
    framing,
    duration: services.admission.gitDuration,
    class: answer.class,
  });
  stopRelaying();
  if (result === 'ok') await writeChunk(output, flushPacket, ctx.signal);
  return result;
}

/** Progress as it comes, and an empty packet after each silence. @returns what ends it. */
function relayProgress(child: Child, framing: PackFraming, output: Writable): () => void {
  let heardBytes = 0;
  let progressBytes = 0;
  child.stderr.on('data', (chunk: Buffer) => {
    progressBytes += chunk.length;
    // A reader too slow for its pack gets no progress on top: that alone must not grow in memory.
    if (!output.writableNeedDrain && !output.destroyed) output.write(encodeBand(2, chunk));
  });
  const timer = setInterval(() => {
    const bytes = framing.bytes + progressBytes;
    if (bytes === heardBytes && !output.destroyed) output.write(encodeBand(1, ''));
    heardBytes = bytes;
  }, keepAliveMs);
  return () => clearInterval(timer);
}

async function* once(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}
