// Which paths a repository may have in addresses: two segments or more, none of them a word of the pages.
// Pure; used by the catalog when it reads manifests and by the router when it reads addresses.

/** First segments that belong to the program itself (DESIGN, Addresses). */
export const reservedFirstSegments: ReadonlySet<string> = new Set([
  'api',
  'search',
  'assets',
  'signin',
  'signout',
  'settings',
  'admin',
  'healthz',
  'robots.txt',
  '-',
]);

/** Words that follow a repository's path in addresses, so no segment may be one. */
export const pageWords: ReadonlySet<string> = new Set([
  'tree',
  'blob',
  'raw',
  'blame',
  'commits',
  'commit',
  'compare',
  'archive',
  'branches',
  'tags',
  'issues',
  'changes',
  'releases',
  'search',
  'info',
  'git-upload-pack',
  'git-receive-pack',
]);

const maxPathChars = 200;

/** Why this is no repository path, as a sentence; undefined when it is one. */
export function repositoryPathProblem(path: string): string | undefined {
  if (path.length > maxPathChars) return `a path has at most ${maxPathChars} characters`;
  const segments = path.split('/');
  if (segments.length < 2) return 'a path has two segments or more, such as team/project';
  const first = segments[0] ?? '';
  if (reservedFirstSegments.has(first)) return `"${first}" is reserved and cannot start a path`;
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'a path has no empty segment and no slash at its ends';
  if (segment === '.' || segment === '..') return `"${segment}" would leave the data directory`;
  if (!/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(segment)) {
    return `"${segment}" must be letters, digits, ".", "_" and "-", not starting with "." or "-"`;
  }
  if (pageWords.has(segment))
    return `"${segment}" is a word of page addresses and cannot be in a path`;
  if (/\.git$/i.test(segment)) return `"${segment}" must not end in .git`;
  if (/\.lock$/i.test(segment)) return `"${segment}" must not end in .lock`;
  return undefined;
}
