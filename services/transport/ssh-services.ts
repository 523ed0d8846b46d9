// The three git services on an SSH channel: advertisement first, then the same answers as over HTTP. Called by ssh-git.
// v2 answers command by command with a child for each fetch; v0 and v1 talk to one child from beginning to end.

import type { Context } from '#kernel/context.ts';
import type { Permit } from '#admission/gate.ts';
import { OutputFraming } from '#git/output-framing.ts';
import { PacketReader } from '#git/packet-reader.ts';
import { renderPushAdvertisement } from '#git/ref-listing.ts';
import { startUploadArchive } from '#git/upload-pack.ts';
import { readListedRefs } from '#transport/read-listed-refs.ts';
import { runGitService, type ServiceOutcome } from '#transport/run-git-service.ts';
import { answerV0, answerV2, type FetchSession } from '#transport/serve-fetch.ts';
import { answerPush } from '#transport/serve-push.ts';
import type { SshEnd, SshServing } from '#transport/ssh-serving.ts';
import { writeChunk } from '#transport/write-chunk.ts';

/** The command's git_ssh permit covers everything it does. */
const coveredPermit: Permit = { kind: 'admitted', waitedMs: 0, release() {} };

export async function serveFetch(ctx: Context, serving: SshServing): Promise<SshEnd> {
  const { services, command, target, admission, channel, input } = serving;
  const session: FetchSession = {
    target,
    class: admission.class,
    protocol: command.protocol.environment,
    output: channel.output,
    admit: async () => coveredPermit,
    onListingOnly() {},
  };
  if (command.protocol.version !== 2) {
    const result = await answerV0(ctx, services, session, { input, stateless: false });
    return result === 'refused' ? { exitCode: 1, outcome: 'refused' } : endOf(result);
  }
  const { background, capabilities } = services;
  const { objectFormat } = target.state;
  const advertised = await capabilities.v2(background, target.gitDir, objectFormat);
  await writeChunk(channel.output, advertised, ctx.signal);
  const reader = new PacketReader(input);
  for (;;) {
    const result = await answerV2(ctx, services, session, reader);
    if (result === 'ended') return endOf('ok');
    if (result === 'failed') return endOf('failed');
  }
}

export async function servePush(ctx: Context, serving: SshServing): Promise<SshEnd> {
  const { services, command, target, admission, channel, input, received } = serving;
  const { gitDir, state } = target;
  const { refFormat, objectFormat } = state;
  const asked = { gitDir, refFormat, class: admission.class };
  const snapshot = await readListedRefs(ctx, services, asked);
  if (!('refs' in snapshot)) {
    await channel.say(snapshot.sentence);
    return { exitCode: 1, outcome: 'refused', refusal: snapshot.limit };
  }
  const { background, capabilities } = services;
  const list = await capabilities.push(background, gitDir, objectFormat);
  const advertised = renderPushAdvertisement(snapshot, list, objectFormat);
  await writeChunk(channel.output, advertised, ctx.signal);
  const reader = new PacketReader(input);
  const session = {
    target,
    class: admission.class,
    accountName: command.actor.name,
    output: channel.output,
    contentLength: undefined,
    inputEnds: false,
    admit: async () => coveredPermit,
  };
  let result: Awaited<ReturnType<typeof answerPush>>;
  try {
    result = await answerPush(ctx, services, session, reader);
  } catch (error) {
    // It looked at the advertisement and left: there was nothing to push.
    if (received.bytes === 0 && !ctx.signal.aborted) return endOf('ok');
    throw error;
  }
  if (result === 'nothing') return endOf('ok');
  // Ended in the middle though the client is there: what it sent went past a bound.
  if (result === 'refused' || result === 'client_gone') {
    return { exitCode: 1, outcome: 'refused', maySend: true };
  }
  return { ...endOf(result), maySend: true };
}

export async function serveArchive(ctx: Context, serving: SshServing): Promise<SshEnd> {
  const { services, target, admission, channel, input } = serving;
  const { result } = await runGitService(ctx, {
    child: await startUploadArchive(ctx, services.git, target.gitDir),
    input,
    output: channel.output,
    framing: new OutputFraming('text'),
    duration: services.admission.gitDuration,
    class: admission.class,
  });
  return endOf(result);
}

/** A client that has left is told apart by its context, in ssh-git. */
function endOf(result: ServiceOutcome['result']): SshEnd {
  return result === 'ok' ? { exitCode: 0, outcome: 'ok' } : { exitCode: 128, outcome: 'failed' };
}
