// One git command over SSH for someone signed in: rights, a git_ssh permit, then the same services as over HTTP.
// Called by ssh-session. Must stay true: hidden and absent are told in the same words; the permit lives until the
// last byte is in the client's window and the child's group is gone.

import { assertNever } from '#kernel/assert-never.ts';
import { linkAbort, raceAbort } from '#kernel/abort.ts';
import { type Context, withSignal } from '#kernel/context.ts';
import { ForgeError, isForgeError } from '#kernel/forge-error.ts';
import { formatBytes, formatDuration } from '#kernel/units.ts';
import type { AdmissionRequest } from '#admission/admission-request.ts';
import { encodeBand, encodeError } from '#git/pkt-line.ts';
import { admissionRequest } from '#transport/git-exchange.ts';
import type { GitServices } from '#transport/git-services.ts';
import { resolveTarget, type TargetOutcome } from '#transport/git-target.ts';
import type { ChannelStreams } from '#transport/ssh-channel.ts';
import type { AdmittedCommand, SshEnd, SshGitCommand, SshServing } from '#transport/ssh-serving.ts';
import { serveArchive, serveFetch, servePush } from '#transport/ssh-services.ts';

/** Above git_duration, which ends each child: for a client that idles between its requests. */
const idleGraceMs = 10_000;

/** Resolves when the exit status has been sent; the caller closes the channel. */
export async function runSshGit(
  ctx: Context,
  services: GitServices,
  command: SshGitCommand,
  channel: ChannelStreams,
): Promise<SshEnd> {
  const isPush = command.service === 'git-receive-pack';
  const { repositories } = services;
  const need = isPush ? 'write' : 'read';
  const outcome = resolveTarget(repositories, command.actor, command.repository, need);
  if (outcome.kind !== 'open') {
    return refuse(ctx, channel, sentenceOf(outcome), outcome.kind);
  }
  const { target } = outcome;
  const admission = admissionRequest(command, target, isPush);
  const permit = await services.admission.gitSsh.acquire(ctx, admission);
  if (permit.kind === 'refused') {
    return refuse(ctx, channel, permit.sentence, `${permit.limit};reason=${permit.reason}`);
  }
  try {
    return await serveWithin(ctx, { services, command, target, admission, channel });
  } finally {
    permit.release();
  }
}

/** Serves until git_duration and a grace have passed, whatever the client does or leaves undone. */
async function serveWithin(ctx: Context, admitted: AdmittedCommand): Promise<SshEnd> {
  const { services, admission, channel, command } = admitted;
  const { gitDuration } = services.admission;
  using limited = linkAbort(ctx.signal, gitDuration.value + idleGraceMs);
  const bound = command.service === 'git-receive-pack' ? undefined : boundOf(services, admission);
  const received = { bytes: 0 };
  const input = counted(limited.signal, channel.input, received, bound);
  let end: SshEnd;
  try {
    end = await serve(withSignal(ctx, limited.signal), { ...admitted, input, received });
  } catch (error) {
    if (ctx.signal.aborted) return { exitCode: 1, outcome: 'client_gone' };
    end = await explain(ctx, admitted, limited.signal.aborted ? 'late' : error);
  }
  // A client that does not read the rest is not waited for either.
  await channel.finish(end.exitCode, limited.signal);
  return ctx.signal.aborted ? { exitCode: end.exitCode, outcome: 'client_gone' } : end;
}

/** An error packet where the client looks for one. */
async function explain(ctx: Context, admitted: AdmittedCommand, cause: unknown): Promise<SshEnd> {
  const { services, admission, channel, command } = admitted;
  const { gitDuration } = services.admission;
  const known = isForgeError(cause) ? cause : new ForgeError('INTERNAL', {}, { cause });
  let sentence = known.entry.audience === 'client' ? known.message : known.entry.message;
  if (cause === 'late') {
    sentence = `this took longer than ${formatDuration(gitDuration.value)} (${gitDuration.definition.name})`;
    gitDuration.refuse(admission.class, sentence);
  } else if (known.entry.http >= 500) ctx.log.error('an SSH command failed', { error: cause });
  const isPush = command.service === 'git-receive-pack';
  // Not waited for: the client may not read, and the end that follows bounds the wait.
  if (!channel.output.destroyed) {
    channel.output.write(isPush ? encodeBand(3, `${sentence}\n`) : encodeError(sentence));
  }
  return { exitCode: 128, outcome: 'failed', maySend: isPush };
}

function serve(ctx: Context, serving: SshServing): Promise<SshEnd> {
  const { service } = serving.command;
  switch (service) {
    case 'git-upload-pack':
      return serveFetch(ctx, serving);
    case 'git-receive-pack':
      return servePush(ctx, serving);
    case 'git-upload-archive':
      return serveArchive(ctx, serving);
    default:
      return assertNever(service);
  }
}

/** Says why on stderr; exit 1. */
export async function refuse(
  ctx: Context,
  channel: ChannelStreams,
  sentence: string,
  refusal: string,
): Promise<SshEnd> {
  await channel.say(sentence);
  await channel.finish(1, ctx.signal);
  return { exitCode: 1, outcome: 'refused', refusal };
}

function sentenceOf(outcome: Exclude<TargetOutcome, { kind: 'open' }>): string {
  switch (outcome.kind) {
    case 'hidden':
    case 'sign-in': // Nobody gets here without having signed in.
      return 'There is no such repository, or you may not see it.';
    case 'forbidden':
    case 'unavailable':
      return outcome.sentence;
    default:
      return assertNever(outcome);
  }
}

type Bound = { readonly maxBytes: number; readonly tooLarge: () => ForgeError };

function boundOf({ admission }: GitServices, request: AdmissionRequest): Bound {
  const { requestInflatedBytes: limit } = admission;
  return {
    maxBytes: limit.value,
    tooLarge() {
      const sentence = `a request has at most ${formatBytes(limit.value)} (${limit.definition.name})`;
      limit.refuse(request.class, sentence);
      return new ForgeError('PAYLOAD_TOO_LARGE', { sentence });
    },
  };
}

/** Ends with an error when the signal aborts: whoever waits for the client waits no longer. */
async function* counted(
  signal: AbortSignal,
  input: AsyncIterable<Buffer>,
  received: { bytes: number },
  bound: Bound | undefined,
): AsyncGenerator<Buffer> {
  const chunks = input[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await raceAbort(chunks.next(), signal);
    if (done === true) return;
    received.bytes += value.length;
    if (bound !== undefined && received.bytes > bound.maxBytes) throw bound.tooLarge();
    yield value;
  }
}
