// The Git-Protocol header, or GIT_PROTOCOL over SSH: the only thing of a client's environment that git may see.

export type ProtocolRequest = {
  readonly version: 0 | 1 | 2;
  /** What GIT_PROTOCOL is set to; undefined: it is not set. */
  readonly environment: string | undefined;
};

const maxChars = 256;

/** Takes `k=v(:k=v)*` within 256 characters; anything else counts as absent, as git itself would have it. */
export function parseProtocolRequest(value: string | undefined): ProtocolRequest {
  if (value === undefined || value.length > maxChars) return { version: 0, environment: undefined };
  if (!/^[A-Za-z0-9_.-]+(=[A-Za-z0-9_.-]*)?(:[A-Za-z0-9_.-]+(=[A-Za-z0-9_.-]*)?)*$/.test(value)) {
    return { version: 0, environment: undefined };
  }
  let version: 0 | 1 | 2 = 0;
  for (const item of value.split(':')) {
    if (item === 'version=1' && version < 1) version = 1;
    if (item === 'version=2') version = 2;
  }
  return { version, environment: value };
}
