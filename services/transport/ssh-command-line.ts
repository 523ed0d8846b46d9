// What a client asks to run, from the one string SSH carries: a git service and a path, never a shell. Pure.
// Quotes as git writes them (sq_quote: '…' with '\'' and '\!') and as people type them; nothing is expanded.

import { type GitService, sshRepositoryPath } from '#transport/address.ts';

export type SshCommand =
  | { readonly kind: 'git'; readonly service: GitService; readonly repository: string }
  | { readonly kind: 'lfs' }
  | { readonly kind: 'refused'; readonly sentence: string };

const services: ReadonlySet<string> = new Set<GitService>([
  'git-upload-pack',
  'git-receive-pack',
  'git-upload-archive',
]);
const maxCommandChars = 8192;
const maxPathChars = 4096;

export function parseSshCommand(text: string): SshCommand {
  const words = text.length > maxCommandChars ? undefined : splitWords(text);
  if (words === undefined) return refused('the command is not valid');
  const [first = '', ...rest] = words;
  // `git upload-pack PATH` is the same as `git-upload-pack PATH`.
  const [name, args] = first === 'git' ? [`git-${rest[0] ?? ''}`, rest.slice(1)] : [first, rest];
  if (name === 'git-lfs-authenticate' || name === 'git-lfs-transfer') return { kind: 'lfs' };
  if (!isService(name)) {
    return refused(
      'only git is served here: git-upload-pack, git-receive-pack, git-upload-archive',
    );
  }
  const [path] = args;
  if (path === undefined || args.length !== 1) {
    return refused(`${name} takes one path and nothing else`);
  }
  const problem = pathProblem(path);
  if (problem !== undefined) return refused(problem);
  return { kind: 'git', service: name, repository: sshRepositoryPath(path) };
}

function isService(name: string): name is GitService {
  return services.has(name);
}

function pathProblem(path: string): string | undefined {
  if (path.length > maxPathChars) return 'the path is too long';
  if (path.startsWith('-')) return 'a path does not begin with "-"';
  if (path.split('/').includes('..')) return 'a path has no ".." in it';
  // U+FFFD stands where the bytes were not UTF-8.
  // eslint-disable-next-line no-control-regex -- control characters are what it looks for.
  return /[\u0000-\u001f\u007f\ufffd]/.test(path)
    ? 'the path has a character no path has'
    : undefined;
}

/** The words of a command line; undefined for an open quote, or for what only a shell understands. */
function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let rest = text.trimStart();
  while (rest !== '') {
    const match = /^(?:[^\s'"\\;|&<>()$`]|'[^']*'|\\.|"[^"\\$`]*")+/su.exec(rest);
    if (match === null) return undefined;
    const [word] = match;
    words.push(unquote(word));
    rest = rest.slice(word.length);
    if (rest !== '' && !/^\s/.test(rest)) return undefined;
    rest = rest.trimStart();
  }
  return words;
}

function unquote(word: string): string {
  return word.replace(
    /'([^']*)'|\\(.)|"([^"]*)"/gsu,
    (_, single?: string, escaped?: string, double?: string) => single ?? escaped ?? double ?? '',
  );
}

function refused(sentence: string): SshCommand {
  return { kind: 'refused', sentence };
}
