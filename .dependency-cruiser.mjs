// The ordered list of folders is the architecture: a folder imports itself and the lines below it.
// Checked by `npm run check:layers`; docs/architecture.md shows the same list for people.
import swcVisitor from '@swc/core/Visitor.js';

// dependency-cruiser walks files with this visitor, which fails on `using` declarations: they are taught to it here.
const { prototype: visitor } = swcVisitor.Visitor;
const { visitStatement } = visitor;
visitor.visitStatement = function visit(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

const layers = [
  ['kernel'],
  ['model'],
  ['process', 'db', 'admission', 'kube'],
  ['git', 'catalog'],
  ['access'],
  ['entity'],
  ['projection', 'site'],
  ['search'],
  ['page'],
  ['transport', 'api'],
  ['entry'],
];

const layerRules = layers.flatMap((line, at) =>
  line.map((folder) => ({
    name: `layer-${folder}`,
    comment: `services/${folder} may import only itself and the layers below it`,
    severity: 'error',
    from: { path: `^services/${folder}/` },
    to: {
      path: `^(operator/|test/|load/|services/(${layers
        .slice(at)
        .flat()
        .filter((other) => other !== folder)
        .join('|')})/)`,
    },
  })),
);

// A folder with no name in the list would escape every rule above.
const known = layers.flat().join('|');

export default {
  forbidden: [
    ...layerRules.filter((rule) => rule.to.path !== '^(operator/|test/|load/|services/()/)'),
    {
      name: 'known-folder',
      severity: 'error',
      from: {},
      to: { path: `^services/(?!(${known})/)` },
    },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'operator-below',
      severity: 'error',
      from: { path: '^operator/' },
      to: { path: '^services/(?!(kernel|model|kube)/)' },
    },
    {
      name: 'spawn-in-process-only',
      comment: 'Processes start only in services/process (DESIGN rule 3)',
      severity: 'error',
      from: { path: '^(services|operator)/', pathNot: '^services/process/' },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'kube-client-in-kube-only',
      severity: 'error',
      from: { path: '^(services|operator)/', pathNot: '^services/kube/' },
      to: { path: '@kubernetes/client-node' },
    },
    {
      name: 'prom-client-in-kernel-only',
      severity: 'error',
      from: { path: '^(services|operator)/', pathNot: '^services/kernel/' },
      to: { path: 'prom-client' },
    },
    {
      name: 'isomorphic-git-never-writes',
      comment: 'isomorphic-git is the independent reader of verify and tests',
      severity: 'error',
      from: { path: '^(services|operator)/', pathNot: '^services/(entry|entity)/.*verify' },
      to: { path: 'isomorphic-git' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};
