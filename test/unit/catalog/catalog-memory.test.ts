import { expect, test } from 'vitest';
import { buildCatalogState } from '#catalog/catalog-memory.ts';
import { pathsOf, problemsOf, readCatalog as read } from '#support/catalog-reading.ts';
import { joinDocuments, manifestOf, repositoryOf } from '#support/manifest-text.ts';

test('reports every problem of a file at once, and serves its good documents', () => {
  const text = joinDocuments(
    repositoryOf('one', 'visibilty: x\narchived: 1'),
    repositoryOf('two'),
    repositoryOf('three', 'path: a'),
  );
  const memory = read({ 'a.yaml': text });
  expect(problemsOf(memory).map((line) => line.split(' ')[0])).toEqual([
    'a.yaml:6',
    'a.yaml:7',
    'a.yaml:19',
  ]);
  expect(pathsOf(memory)).toEqual(['default/two']);
});

test('refuses the second of two repositories with one path, and serves it once the path is free', () => {
  const one = repositoryOf('one', 'path: team/app');
  const two = repositoryOf('two', 'visibility: public\npath: team/app');
  const both = read({ 'a.yaml': one, 'b.yaml': two });
  expect(problemsOf(both)).toEqual([
    'b.yaml:7 the path team/app is already taken by Repository default/one in a.yaml line 1',
  ]);
  const free = read({ 'a.yaml': undefined }, both);
  expect(problemsOf(free)).toEqual([]);
  expect(buildCatalogState(free).repositories.get('team/app')?.id).toBe('default/two');
});

test('refuses a path below another and a path above another', () => {
  const below = read({
    'a.yaml': repositoryOf('one', 'path: a/b'),
    'b.yaml': repositoryOf('two', 'path: a/b/c'),
  });
  expect(problemsOf(below)).toEqual([
    'b.yaml:6 the path a/b/c lies below a/b, taken by Repository default/one in a.yaml line 1',
  ]);
  const above = read({
    'a.yaml': repositoryOf('one', 'path: a/b/c'),
    'b.yaml': repositoryOf('two', 'path: a/b'),
  });
  expect(problemsOf(above)).toEqual([
    'b.yaml:6 the path a/b is the start of a/b/c, taken by Repository default/one in a.yaml line 1',
  ]);
  expect(
    problemsOf(
      read({
        'a.yaml': repositoryOf('one', 'path: a/bc'),
        'b.yaml': repositoryOf('two', 'path: a/b'),
      }),
    ),
  ).toEqual([]);
});

test('what serves wins over a newcomer, even one of an earlier file', () => {
  const before = read({ 'b.yaml': repositoryOf('old', 'path: team/app') });
  const after = read({ 'a.yaml': repositoryOf('new', 'path: team/app') }, before);
  expect(problemsOf(after)).toEqual([
    'a.yaml:6 the path team/app is already taken by Repository default/old in b.yaml line 1',
  ]);
  expect(buildCatalogState(after).repositories.get('team/app')?.name).toBe('old');
});

test('a repository that moves onto a taken path stays where it was', () => {
  const before = read({
    'a.yaml': repositoryOf('one', 'path: x/one'),
    'b.yaml': repositoryOf('two', 'path: x/two'),
  });
  const after = read(
    {
      'a.yaml': repositoryOf('one', 'path: x/two'),
      'c.yaml': repositoryOf('three', 'path: x/one'),
    },
    before,
  );
  expect(pathsOf(after)).toEqual(['x/one', 'x/two']);
  expect(buildCatalogState(after).repositories.get('x/one')?.name).toBe('one');
  expect(problemsOf(after)).toHaveLength(2);
});

test('two repositories exchange their paths in one change', () => {
  const before = read({
    'a.yaml': repositoryOf('one', 'path: x/one'),
    'b.yaml': repositoryOf('two', 'path: x/two'),
  });
  const after = read(
    { 'a.yaml': repositoryOf('one', 'path: x/two'), 'b.yaml': repositoryOf('two', 'path: x/one') },
    before,
  );
  expect(problemsOf(after)).toEqual([]);
  expect(buildCatalogState(after).repositories.get('x/one')?.name).toBe('two');
});

test('refuses the same object twice, and the earlier serves', () => {
  const memory = read({
    'a.yaml': joinDocuments(repositoryOf('one'), repositoryOf('one', 'visibility: public')),
  });
  expect(problemsOf(memory)).toEqual([
    'a.yaml:9 Repository default/one is already declared in a.yaml line 1',
  ]);
  expect(buildCatalogState(memory).repositories.get('default/one')?.spec.visibility).toBe(
    'private',
  );
});

test('refuses a host and a site name that are taken', () => {
  const site = (name: string, host: string) =>
    manifestOf('Site', name, `repository: demo\nhosts:\n  - ${host}`);
  const memory = read({
    'a.yaml': site('docs', 'docs.example.org'),
    'b.yaml': site('other', 'docs.example.org'),
    'c.yaml': site('docs', 'c.example.org').replace(
      '  name: docs',
      '  namespace: team\n  name: docs',
    ),
  });
  expect(problemsOf(memory)).toEqual([
    'b.yaml:8 the host docs.example.org is already taken by Site default/docs in a.yaml line 1',
    'c.yaml:5 the site name docs is already taken by Site default/docs in a.yaml line 1',
  ]);
});

test.each([
  [
    'objectFormat: sha256',
    'objectFormat: sha1',
    'spec.objectFormat: objectFormat cannot change once it is set',
  ],
  [
    'objectFormat: sha256',
    'archived: true',
    'spec.objectFormat: objectFormat cannot be removed once it is set',
  ],
  [
    'refFormat: files',
    'refFormat: reftable',
    'spec.refFormat: refFormat cannot change once it is set',
  ],
  [
    'storage: 2Gi',
    'storage: 1500Mi',
    'spec.storage: storage only grows; it cannot be made smaller',
  ],
])('refuses the change from %s to %s, and the old keeps serving', (before, after, sentence) => {
  const first = read({ 'a.yaml': repositoryOf('demo', before) });
  const second = read({ 'a.yaml': repositoryOf('demo', after) }, first);
  expect(second.problems.map((problem) => problem.sentence)).toEqual([sentence]);
  expect(second.entries.get('Repository default/demo')?.spec).toEqual(
    first.entries.get('Repository default/demo')?.spec,
  );
});

test('allows what the transition rules allow', () => {
  const first = read({ 'a.yaml': repositoryOf('demo', 'storage: 2Gi') });
  const second = read(
    { 'a.yaml': repositoryOf('demo', 'storage: 3000Mi\nobjectFormat: sha256') },
    first,
  );
  expect(problemsOf(second)).toEqual([]);
});

test('a file that is no YAML keeps everything it last brought', () => {
  const before = read({ 'a.yaml': joinDocuments(repositoryOf('one'), repositoryOf('two')) });
  const after = read({ 'a.yaml': `${repositoryOf('one')}---\n{{{` }, before);
  expect(pathsOf(after)).toEqual(['default/one', 'default/two']);
  expect(problemsOf(after)[0]).toMatch(/^a\.yaml:6 this is not valid YAML: /);
});

test('a document that no longer says what it is removes nothing of its file', () => {
  const before = read({ 'a.yaml': joinDocuments(repositoryOf('one'), repositoryOf('two')) });
  const after = read(
    { 'a.yaml': joinDocuments(repositoryOf('one'), repositoryOf('Two!')) },
    before,
  );
  expect(pathsOf(after)).toEqual(['default/one', 'default/two']);
  expect(problemsOf(after)).toHaveLength(1);
});

test('removing a document or a file removes its objects', () => {
  const before = read({
    'a.yaml': joinDocuments(repositoryOf('one'), repositoryOf('two')),
    'b.yml': repositoryOf('three'),
  });
  const after = read({ 'a.yaml': repositoryOf('two'), 'b.yml': undefined }, before);
  expect(pathsOf(after)).toEqual(['default/two']);
});

test('fills in the defaults of the schema', () => {
  const memory = read({
    'a.yaml': joinDocuments(
      repositoryOf(
        'demo',
        'access:\nprotectedBranches:\n  - pattern: main\nsource:\n  url: /srv/a.git',
      ),
      manifestOf('GitPool', 'large'),
    ),
  });
  const { repositories, pools } = buildCatalogState(memory);
  expect(repositories.get('default/demo')?.spec).toEqual({
    visibility: 'private',
    defaultBranch: 'main',
    placement: { dedicated: false },
    limits: {},
    access: [],
    protectedBranches: [
      { pattern: 'main', push: 'write', allowForce: false, allowDeletion: false },
    ],
    source: { url: '/srv/a.git', mirror: false, interval: '10m' },
    archived: false,
    suspend: false,
    reclaimPolicy: 'Retain',
  });
  expect(pools[0]?.spec).toMatchObject({
    replicas: 1,
    storage: '20Gi',
    spread: 'node',
    resources: {},
  });
});

test.each([
  [
    'aliases that multiply',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`,
  ],
  ['nesting without end', '['.repeat(100_000)],
  ['a prototype', `${repositoryOf('demo')}__proto__: {a: 1}\n`],
])('refuses %s without harm', (_, text) => {
  const memory = read({ 'a.yaml': text });
  expect(memory.problems.length).toBeGreaterThan(0);
  expect(memory.entries.size).toBe(0);
});
