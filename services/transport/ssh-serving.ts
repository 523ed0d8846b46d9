// What an SSH command is, is served with, and ends with: shared by ssh-session, ssh-git and ssh-services.

import type { AccountActor } from '#access/authenticate.ts';
import type { AdmissionRequest } from '#admission/admission-request.ts';
import type { ProtocolRequest } from '#git/protocol-version.ts';
import type { GitService } from '#transport/address.ts';
import type { GitServices } from '#transport/git-services.ts';
import type { GitTarget } from '#transport/git-target.ts';
import type { ChannelStreams } from '#transport/ssh-channel.ts';
import type { CommandOutcome } from '#transport/ssh-metrics.ts';

export type SshGitCommand = {
  readonly service: GitService;
  readonly repository: string;
  readonly protocol: ProtocolRequest;
  readonly actor: AccountActor;
  readonly clientKey: string;
};

export type SshEnd = {
  readonly exitCode: number;
  readonly outcome: CommandOutcome;
  /** Named by the log: which limit or right refused it. */
  readonly refusal?: string;
  /** The client may still be sending a pack that nobody wants; it must be read, or it misses the answer. */
  readonly maySend?: boolean;
};

/** A command that holds its permit. */
export type AdmittedCommand = {
  readonly services: GitServices;
  readonly command: SshGitCommand;
  readonly target: GitTarget;
  readonly admission: AdmissionRequest;
  readonly channel: ChannelStreams;
};

/** What a service has to work with. */
export type SshServing = AdmittedCommand & {
  readonly input: AsyncIterable<Buffer>;
  /** What the client has sent so far. */
  readonly received: { readonly bytes: number };
};
