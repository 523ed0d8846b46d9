// Runs one git child for a client: input in, output out, until the child's exit is known (DESIGN rules 4 and 5).
// Callers: serve-fetch and serve-push. Must stay true: when this returns, the group is gone and everything the child
// wrote has been handed to the writable; a child that fails or is out of time ends with an error packet.

import type { Writable } from 'node:stream';
import { linkAbort, raceAbort } from '#kernel/abort.ts';
import type { Context } from '#kernel/context.ts';
import { ForgeError, isForgeError, messageOf } from '#kernel/forge-error.ts';
import { formatDuration } from '#kernel/units.ts';
import type { ValueLimit } from '#admission/value-limit.ts';
import type { ClientClass } from '#model/client-class.ts';
import type { OutputFraming } from '#git/output-framing.ts';
import type { PackFraming } from '#git/pack-framing.ts';
import { type Child, type ChildExit, outcomeOf } from '#process/start-child.ts';
import { flushChunks, writeChunk } from '#transport/write-chunk.ts';

export type ServiceRun = {
  readonly child: Child;
  readonly input: AsyncIterable<Buffer>;
  readonly output: Writable;
  readonly framing: OutputFraming | PackFraming;
  readonly duration: ValueLimit;
  readonly class: ClientClass;
  /** A non-zero exit is part of the protocol (v0 deepen): nothing is added to the output then. */
  readonly toleratesFailure?: boolean;
  /** An input that breaks before any output was passed on is thrown, so that it gets a status of its own. */
  readonly throwsBadInput?: boolean;
};

export type ServiceOutcome = {
  readonly exit: ChildExit;
  readonly result: 'ok' | 'failed' | 'interrupted' | 'client_gone';
};

/** The context's signal must abort when the client leaves. */
export async function runGitService(ctx: Context, run: ServiceRun): Promise<ServiceOutcome> {
  const { child, framing, duration } = run;
  using feeding = linkAbort(ctx.signal);
  let feedError: unknown;
  const fed = feed(child, run.input, feeding.signal).catch((error: unknown) => {
    // A body that breaks off must never look complete to git: it is ended, not sent EOF.
    feedError = error;
    child.stop('client_gone');
  });
  using passing = linkAbort(ctx.signal);
  const timer = setTimeout(() => {
    child.stop('deadline');
    // A client that does not read must not hold what the limit takes back.
    passing.abort(new ForgeError('DEADLINE', { timeoutMs: duration.value }));
  }, duration.value);
  await pass(ctx, run, passing.signal);
  const exit = await child.ended;
  clearTimeout(timer);
  feeding.abort(new Error('the child has ended'));
  await fed;
  const end = conclude(exit, run);
  if (end.result === 'failed') {
    ctx.log.warn('git ended with an error', {
      exit: exit.code ?? exit.signal,
      stderr: exit.stderr,
    });
  }
  const isBroken = end.result === 'client_gone' && feedError !== undefined;
  if (isBroken && run.throwsBadInput === true && isForgeError(feedError) && framing.bytes === 0) {
    throw feedError;
  }
  const sentence = isBroken ? sentenceOf(feedError) : end.sentence;
  if (sentence !== undefined && !ctx.signal.aborted) interrupt(run, sentence);
  return { exit, result: end.result };
}

/** Hands the output on as fast as the client takes it, until it ends or the signal says so. */
async function pass(
  ctx: Context,
  { child, framing, output }: ServiceRun,
  signal: AbortSignal,
): Promise<void> {
  try {
    const take = async (chunk: Buffer) => flushChunks(output, framing.wrap(chunk), signal);
    if (child.tap !== undefined) await child.tap.read(take);
    else for await (const chunk of child.stdout as AsyncIterable<Buffer>) await take(chunk);
  } catch (error) {
    // stop() destroys stdout, which ends the loop with an error of its own; the exit tells the cause.
    if (!isForgeError(error) && !ctx.signal.aborted) ctx.log.debug('git output ended', { error });
    child.stop('client_gone');
  }
}

type End = { readonly result: ServiceOutcome['result']; readonly sentence?: string };

/** What the exit means, and what the client is told when the output does not say it. */
function conclude(
  exit: ChildExit,
  { duration, class: clientClass, toleratesFailure }: ServiceRun,
): End {
  if (exit.stopped === 'deadline') {
    const sentence = `this took longer than ${formatDuration(duration.value)} (${duration.definition.name})`;
    duration.refuse(clientClass, sentence);
    return { result: 'interrupted', sentence };
  }
  if (exit.stopped !== undefined) return { result: 'client_gone' };
  if (exit.code === 0) return { result: 'ok' };
  if (outcomeOf(exit) === 'oom') {
    return { result: 'failed', sentence: 'git ran out of memory on the server; try again later' };
  }
  if (toleratesFailure === true && exit.signal === null) return { result: 'failed' };
  return { result: 'failed', sentence: 'git failed on the server; its log has the reason' };
}

async function feed(
  child: Child,
  input: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const chunks = input[Symbol.asyncIterator]();
  for (;;) {
    const step = await nextUntil(signal, chunks);
    if (step === 'aborted') return;
    if (step.done === true) break;
    // A child that has read all it wants closes its stdin; the rest of the body is dropped.
    if (child.stdin.destroyed) continue;
    await writeChunk(child.stdin, step.value, signal)?.catch((error: unknown) => {
      if (!child.stdin.destroyed && !signal.aborted) throw error;
    });
  }
  child.stdin.end();
}

/** An SSH client waits for its answer before it sends or ends more: the end of the child ends the wait for it. */
async function nextUntil(
  signal: AbortSignal,
  chunks: AsyncIterator<Buffer>,
): Promise<IteratorResult<Buffer> | 'aborted'> {
  try {
    return await raceAbort(chunks.next(), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    // Not awaited: it takes its turn after the read that is still open.
    void chunks.return?.().catch(() => {});
    return 'aborted';
  }
}

function interrupt({ framing, output }: ServiceRun, sentence: string): void {
  const bytes = framing.interruption(sentence);
  if (bytes.length > 0 && !output.destroyed) output.write(bytes);
}

function sentenceOf(error: unknown): string {
  return isForgeError(error) ? error.message : `the request body broke off (${messageOf(error)})`;
}
