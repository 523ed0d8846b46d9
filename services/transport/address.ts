// Which part of the program an address belongs to, decided on the raw request target. Pure; called by http-front.
// The raw target matters: a decoder in front would turn %2f into a slash and %ff into an error.

export type GitService = 'git-upload-pack' | 'git-receive-pack' | 'git-upload-archive';

export type Address =
  | {
      readonly kind: 'info-refs';
      readonly repository: string;
      readonly service: string | undefined;
    }
  | { readonly kind: 'rpc'; readonly repository: string; readonly service: GitService }
  | { readonly kind: 'lfs'; readonly repository: string }
  | { readonly kind: 'health' }
  | { readonly kind: 'api' }
  | { readonly kind: 'page'; readonly path: string };

const maxTargetChars = 4096;
const gitTail =
  /^\/(.+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack|git-upload-archive|info\/lfs(?:\/.*)?)$/;

/** @param target the request target as it came; undefined for one that is no path or too long. */
export function parseAddress(target: string): Address | undefined {
  if (!target.startsWith('/') || target.length > maxTargetChars) return undefined;
  const [path, query] = splitOnce(target, '?');
  const git = gitTail.exec(path);
  if (git?.[1] !== undefined && git[2] !== undefined) return gitAddress(git[1], git[2], query);
  if (path === '/healthz') return { kind: 'health' };
  if (path === '/api' || path.startsWith('/api/')) return { kind: 'api' };
  return { kind: 'page', path };
}

function gitAddress(repository: string, tail: string, query: string): Address {
  if (tail === 'info/refs') {
    return {
      kind: 'info-refs',
      repository,
      service: new URLSearchParams(query).get('service') ?? undefined,
    };
  }
  if (tail.startsWith('info/lfs')) return { kind: 'lfs', repository };
  // The pattern leaves nothing else.
  return { kind: 'rpc', repository, service: tail as GitService };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** The repository a path of SSH names: leading slash and .git optional, as on HTTP. */
export function sshRepositoryPath(argument: string): string {
  return argument
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
}

/** The host name of a Host header, without its port and in lower case. */
export function hostName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/.exec(header);
  return match?.[1]?.toLowerCase();
}
