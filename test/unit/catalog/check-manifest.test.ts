import { expect, test } from 'vitest';
import { pathsOf, problemsOf, readCatalog as read } from '#support/catalog-reading.ts';
import { manifestOf, repositoryOf } from '#support/manifest-text.ts';

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
