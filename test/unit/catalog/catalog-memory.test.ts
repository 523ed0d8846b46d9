import { expect, test } from 'vitest';
import { advanceCatalog, buildCatalogState, emptyCatalogMemory } from '#catalog/catalog-memory.ts';
import type { CatalogMemory, FileReading } from '#catalog/catalog-memory.ts';
import { joinDocuments, manifestOf, repositoryOf } from '#support/manifest-text.ts';

/** The memory after files were read one after the other; undefined stands for a removed file. */
function read(
  files: Readonly<Record<string, string | undefined>>,
  memory: CatalogMemory = emptyCatalogMemory,
): CatalogMemory {
  const readings = Object.entries(files).map(([file, text]): [string, FileReading] => [
    file,
    text === undefined ? { kind: 'gone' } : { kind: 'text', text },
  ]);
  return advanceCatalog(memory, new Map(readings));
}

function problemsOf(memory: CatalogMemory): string[] {
  return memory.problems.map(({ file, line, sentence }) => `${file}:${line} ${sentence}`);
}

function pathsOf(memory: CatalogMemory): string[] {
  return [...buildCatalogState(memory).repositories.keys()].toSorted();
}

const good = repositoryOf('demo', 'visibility: public');

// One row: what is wrong, the text of a.yaml, and the whole refusal.
const refusals: readonly (readonly [string, string, string])[] = [
  [
    'an unknown field, with what was meant',
    repositoryOf('demo', 'visibilty: public'),
    'a.yaml:6 spec.visibilty is no known field; did you mean visibility?',
  ],
  [
    'an unknown field that resembles nothing',
    repositoryOf('demo', 'colour: red'),
    'a.yaml:6 spec.colour is no known field',
  ],
  [
    'an unknown field inside a list',
    repositoryOf(
      'demo',
      'access:\n  - user: a\n    role: read\n  - usr: b\n    user: b\n    role: read',
    ),
    'a.yaml:9 spec.access[1].usr is no known field; did you mean user?',
  ],
  [
    'an unknown field of metadata',
    'apiVersion: warren.dev/v1alpha1\nkind: Repository\nmetadata: {name: a, lables: {}}\n',
    'a.yaml:3 metadata.lables is no known field; did you mean labels?',
  ],
  [
    'an unknown field at the top',
    `${good}specs: {}\n`,
    'a.yaml:7 specs is no known field; did you mean spec?',
  ],
  [
    'text where true or false belongs',
    repositoryOf('demo', 'archived: "yes"'),
    'a.yaml:6 spec.archived must be true or false, not "yes"',
  ],
  [
    'a number where text belongs',
    repositoryOf('demo', 'description: 5'),
    'a.yaml:6 spec.description must be text, not 5 (put it into quotes)',
  ],
  [
    'text where a number belongs',
    repositoryOf('demo', 'limits:\n  concurrency: "4"'),
    'a.yaml:7 spec.limits.concurrency must be a whole number, not "4"',
  ],
  [
    'a number that is too small',
    repositoryOf('demo', 'limits:\n  concurrency: 0'),
    'a.yaml:7 spec.limits.concurrency must be at least 1',
  ],
  [
    'a map where a list belongs',
    repositoryOf('demo', 'access:\n  user: a'),
    'a.yaml:6 spec.access must be a list, not a map',
  ],
  ['a field without a value', repositoryOf('demo', 'path:'), 'a.yaml:6 spec.path has no value'],
  [
    'a word that is none of the allowed',
    repositoryOf('demo', 'visibility: publik'),
    'a.yaml:6 spec.visibility must be public, internal or private, not "publik"; did you mean public?',
  ],
  [
    'a field that is missing',
    repositoryOf('demo', 'access:\n  - user: a'),
    'a.yaml:7 spec.access[0].role is missing',
  ],
  [
    'a path that leaves the data directory',
    repositoryOf('demo', 'path: ../../etc'),
    'a.yaml:6 spec.path: a path must not leave the data directory by "." or ".." segments',
  ],
  [
    'a reserved first segment',
    repositoryOf('demo', 'path: api/demo'),
    'a.yaml:6 spec.path: the first segment of a path must not be one of the reserved words api, search, assets, signin, signout, settings, admin, healthz, robots.txt, -',
  ],
  [
    'a page word in a path',
    repositoryOf('demo', 'path: team/tree'),
    'a.yaml:6 spec.path: no segment of a path may be a word of page addresses such as tree, blob or issues',
  ],
  [
    'a page word as a name',
    repositoryOf('issues'),
    'a.yaml:4 metadata.name: the name is a word of page addresses; choose another or give spec.path',
  ],
  [
    'a reserved namespace without a path',
    'apiVersion: warren.dev/v1alpha1\nkind: Repository\nmetadata: {name: a, namespace: api}\n',
    'a.yaml:3 the path api/a is not possible: "api" is reserved and cannot start a path',
  ],
  [
    'a name that is no DNS name',
    repositoryOf('My_Repo'),
    'a.yaml:4 metadata.name must hold lower-case letters, digits, "-" and ".", and start and end with a letter or digit, not "My_Repo"',
  ],
  [
    'a name that would leave the data directory',
    repositoryOf('..'),
    'a.yaml:4 metadata.name must hold lower-case letters, digits, "-" and ".", and start and end with a letter or digit, not ".."',
  ],
  [
    'no name',
    'apiVersion: warren.dev/v1alpha1\nkind: Repository\nmetadata: {}\n',
    'a.yaml:3 metadata.name is missing',
  ],
  [
    'no metadata',
    'apiVersion: warren.dev/v1alpha1\nkind: Repository\n',
    'a.yaml:1 metadata is missing',
  ],
  [
    'another version',
    good.replace('v1alpha1', 'v1'),
    'a.yaml:1 apiVersion must be warren.dev/v1alpha1, not "warren.dev/v1"',
  ],
  [
    'another kind',
    good.replace('Repository', 'Repositry'),
    'a.yaml:2 kind must be Repository, Site or GitPool, not "Repositry"; did you mean Repository?',
  ],
  [
    'text that is no map',
    '- a\n',
    'a.yaml:1 a manifest is a map with apiVersion, kind, metadata and spec, not a list',
  ],
  [
    'both a user and a group',
    repositoryOf('demo', 'access:\n  - user: a\n    group: b\n    role: read'),
    'a.yaml:7 spec.access[0]: name exactly one user or one group',
  ],
  [
    'a pool and dedicated',
    repositoryOf('demo', 'placement:\n  pool: a\n  dedicated: true'),
    'a.yaml:6 spec.placement: give either a pool or dedicated, not both',
  ],
  [
    'a size in other words',
    repositoryOf('demo', 'storage: 20 gigabytes'),
    'a.yaml:6 spec.storage: a size is a whole number with Ki, Mi, Gi or Ti, such as 20Gi',
  ],
  [
    'a client limit above the whole',
    repositoryOf('demo', 'limits:\n  concurrency: 2\n  perClientConcurrency: 3'),
    'a.yaml:8 spec.limits.perClientConcurrency: perClientConcurrency cannot be above concurrency',
  ],
  [
    'a branch pattern twice',
    repositoryOf('demo', 'protectedBranches:\n  - pattern: main\n  - pattern: main'),
    'a.yaml:8 spec.protectedBranches[1] repeats "main", which is in the list already',
  ],
  [
    'a source with a password',
    repositoryOf('demo', 'source:\n  url: https://me:secret@git.example.org/a.git'),
    'a.yaml:7 spec.source.url: a source holds no password; put it into a Secret and name that in secretRef',
  ],
  [
    'a source of another scheme',
    repositoryOf('demo', 'source:\n  url: "ext::sh -c id"'),
    'a.yaml:7 spec.source.url: a source is an https, http, ssh or file address or an absolute path, without spaces',
  ],
  [
    'a site without its repository',
    manifestOf('Site', 'docs', 'ref: main'),
    'a.yaml:5 spec.repository is missing',
  ],
  ['a site without spec', manifestOf('Site', 'docs'), 'a.yaml:1 spec is missing'],
  [
    'a site name that would be a preview',
    manifestOf('Site', 'a--b', 'repository: demo'),
    'a.yaml:4 metadata.name: the name of a site has no "--", which separates a preview from its site',
  ],
  [
    'a site name that is too long',
    manifestOf('Site', 'a'.repeat(50), 'repository: demo'),
    'a.yaml:4 metadata.name: the name of a site has at most 49 characters, so that previews fit into a host name',
  ],
  [
    'a host with a scheme',
    manifestOf(
      'Site',
      'docs',
      'repository: demo\nhosts:\n  - good.example.org\n  - https://a.example.org',
    ),
    'a.yaml:9 spec.hosts[1]: a host is a lower-case DNS name with a dot, such as docs.example.org, without scheme and port',
  ],
  [
    'a quantity in other words',
    manifestOf('GitPool', 'large', 'resources:\n  limits:\n    memory: lots'),
    'a.yaml:8 spec.resources.limits.memory must be of the form ^([0-9]+|[0-9]*[.][0-9]+)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$, not "lots"',
  ],
  [
    'the same key twice',
    `${good}  visibility: private\n`,
    'a.yaml:7 this is not valid YAML: Map keys must be unique',
  ],
  ['a number as a name', repositoryOf('1'), 'a.yaml:4 metadata.name must be text, not 1'],
];

test.each(refusals)('refuses %s with file, line and sentence', (_, text, refusal) => {
  const memory = read({ 'a.yaml': text });
  expect(problemsOf(memory)).toEqual([refusal]);
  expect(memory.entries.size).toBe(0);
});

test.each(refusals.filter(([, text]) => !text.includes('Site') && !text.includes('GitPool')))(
  'keeps what served when it is replaced by %s',
  (_, text, refusal) => {
    const before = read({ 'a.yaml': repositoryOf('demo') });
    const after = read(
      { 'a.yaml': text.includes('name: demo') ? text : `${text.trimEnd()}\n` },
      before,
    );
    expect(problemsOf(after)).toContain(refusal);
    // A text that names another object well enough to be that one has removed the first.
    const isOther = /name: (issues|a,)/.test(text);
    expect(pathsOf(after)).toEqual(isOther ? [] : ['default/demo']);
    expect(problemsOf(read({ 'a.yaml': repositoryOf('demo') }, after))).toEqual([]);
  },
);

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
  ['a prototype', `${good}__proto__: {a: 1}\n`],
])('refuses %s without harm', (_, text) => {
  const memory = read({ 'a.yaml': text });
  expect(memory.problems.length).toBeGreaterThan(0);
  expect(memory.entries.size).toBe(0);
});
