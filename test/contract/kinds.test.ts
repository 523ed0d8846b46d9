import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkManifest } from '#catalog/check-manifest.ts';
import { compileRule } from '#catalog/evaluate-rules.ts';
import { parseManifests } from '#catalog/parse-manifests.ts';
import type { FieldSchema } from '#model/kind-schema.ts';
import { kindSchemas } from '#model/kinds.generated.ts';
import { pageWords, repositoryPathProblem, reservedFirstSegments } from '#model/repository-path.ts';
import { renderKinds } from '../../scripts/render-kinds.ts';

type Described = FieldSchema & { description?: string };

function walk(schema: Described, name: string, visit: (schema: Described, name: string) => void) {
  visit(schema, name);
  for (const [field, child] of Object.entries(schema.properties ?? {})) {
    walk(child, `${name}.${field}`, visit);
  }
  if (schema.items !== undefined) walk(schema.items, `${name}[]`, visit);
  if (schema.additionalProperties !== undefined) {
    walk(schema.additionalProperties, `${name}{}`, visit);
  }
}

const files = readdirSync('crds');

test('the generated types and schemas are what the CRDs say: otherwise run npm run gen', () => {
  expect(readFileSync('services/model/kinds.generated.ts', 'utf8')).toBe(renderKinds('crds'));
});

test.each(files)('%s has a description on every field and a sentence on every rule', (file) => {
  const crd = parse(readFileSync(`crds/${file}`, 'utf8'));
  const root: Described = crd.spec.versions[0].schema.openAPIV3Schema;
  const silent: string[] = [];
  walk(root, '', (schema, name) => {
    // A CRD may say nothing about metadata but its name.
    if (!schema.description && name !== '.metadata') silent.push(name);
    for (const rule of schema['x-kubernetes-validations'] ?? []) {
      if (!/^[a-z][^]{10,}[^.]$/i.test(rule.message)) silent.push(`${name} rule ${rule.rule}`);
    }
  });
  expect(silent).toEqual([]);
  expect(crd.spec.names.categories).toEqual(['warren']);
  expect(crd.spec.versions[0].subresources.status).toEqual({});
});

test('every rule of the CRDs can be evaluated by the directory catalog', () => {
  for (const [kind, schema] of Object.entries(kindSchemas)) {
    walk(schema, kind, ({ 'x-kubernetes-validations': rules = [] }) => {
      for (const { rule } of rules) expect(() => compileRule(rule), rule).not.toThrow();
    });
  }
});

const repository = (path: string) =>
  `{apiVersion: warren.dev/v1alpha1, kind: Repository, metadata: {name: a}, spec: {path: ${JSON.stringify(path)}}}`;

function isAccepted(manifest: string): boolean {
  const parsed = parseManifests('x.yaml', manifest);
  const [document] = parsed.kind === 'parsed' ? parsed.documents : [];
  return document !== undefined && checkManifest(document, () => undefined).kind === 'good';
}

/** True when the schema alone, as a cluster has it, refuses. */
function isRefusedByRule(path: string): boolean {
  const pathRules = kindSchemas.Repository.properties?.['spec']?.properties?.['path'] ?? {};
  return (
    path.length > (pathRules.maxLength ?? 0) ||
    (pathRules['x-kubernetes-validations'] ?? []).some(
      ({ rule }) => compileRule(rule)({ self: path }) !== true,
    )
  );
}

const paths = [
  ...[...pageWords].flatMap((word) => [`${word}/x`, `x/${word}`, `a/${word}/b`, `a/${word}s1`]),
  ...[...reservedFirstSegments].flatMap((word) => [`${word}/x`, `x/${word}`, `${word}x/y`]),
  ...String.raw`a a/b a/b/c/d /a/b a/b/ a//b / .. ../a a/.. a/./b a/b/../c a/b.git a.git/b a/b.GIT`.split(
    ' ',
  ),
  ...String.raw`a/b.lock a/b.gitx a/.b a/-b a/_b A/B ä/b a/%2e a\b/c`.split(' '),
  '',
  'a b/c',
  'a/b\0',
  `a/${'b'.repeat(198)}`,
  `a/${'b'.repeat(199)}`,
];

test.each(paths)('the rules of the CRD and the code agree on the path %j', (path) => {
  expect(isRefusedByRule(path)).toBe(repositoryPathProblem(path) !== undefined);
  expect(isAccepted(repository(path))).toBe(repositoryPathProblem(path) === undefined);
});

test('every example of docs/manifests.md is accepted', () => {
  const doc = readFileSync('docs/manifests.md', 'utf8');
  const blocks = [...doc.matchAll(/^```yaml\n([^]*?)^```/gm)].map((match) => match[1] ?? '');
  expect(blocks.length).toBeGreaterThan(4);
  for (const block of blocks) {
    const parsed = parseManifests('docs/manifests.md', block);
    if (parsed.kind === 'unparsable') throw new Error(JSON.stringify(parsed.problems));
    for (const document of parsed.documents) {
      const checked = checkManifest(document, () => undefined);
      expect(checked.kind === 'good' ? [] : checked.problems).toEqual([]);
    }
  }
});
