// Which paths a repository may have: words of addresses, tricks and lengths are refused with a sentence.

import { describe, expect, test } from 'vitest';
import { pageWords, repositoryPathProblem, reservedFirstSegments } from '#model/repository-path.ts';

test.each([
  'team/project',
  'a/b',
  'team/group/project',
  'Team_1/my.project-2',
  '_x/_y',
  'team/git',
  'team/a..b',
  `team/${'x'.repeat(195)}`,
])('%s is a path', (path) => {
  expect(repositoryPathProblem(path)).toBeUndefined();
});

test.each([
  ['', 'two segments'],
  ['project', 'two segments'],
  ['/team/project', 'no empty segment'],
  ['team/project/', 'no empty segment'],
  ['team//project', 'no empty segment'],
  ['team/..', 'leave the data directory'],
  ['../team', 'leave the data directory'],
  ['./team', 'leave the data directory'],
  ['team/../../etc', 'leave the data directory'],
  ['team/.hidden', 'not starting with "."'],
  ['team/-option', 'not starting with'],
  ['team/a b', 'must be letters'],
  ['team/a\\b', 'must be letters'],
  ['team/a\0b', 'must be letters'],
  ['team/a\nb', 'must be letters'],
  ['team/project\n', 'must be letters'],
  ['team/%2e%2e', 'must be letters'],
  ['team/ü', 'must be letters'],
  ['team/a:b', 'must be letters'],
  ['team/project.git', 'must not end in .git'],
  ['team/project.GIT', 'must not end in .git'],
  ['team.git/project', 'must not end in .git'],
  ['team/project.lock', 'must not end in .lock'],
  [`team/${'x'.repeat(196)}`, 'at most 200 characters'],
])('%j is none: %s', (path, reason) => {
  expect(repositoryPathProblem(path)).toContain(reason);
});

describe('words of addresses', () => {
  test.each([...reservedFirstSegments])('%s starts no path', (word) => {
    expect(repositoryPathProblem(`${word}/project`)).toContain('reserved');
  });

  test.each([...reservedFirstSegments].filter((word) => !pageWords.has(word) && word !== '-'))(
    '%s may stand further back',
    (word) => {
      expect(repositoryPathProblem(`team/${word}`)).toBeUndefined();
    },
  );

  test.each([...pageWords])('%s stands nowhere in a path', (word) => {
    expect(repositoryPathProblem(`team/${word}`)).toContain('page addresses');
    expect(repositoryPathProblem(`team/${word}/project`)).toContain('page addresses');
  });
});
