// Renders services/model/kinds.generated.ts from crds/*.yaml: the spec types, and the schemas as a constant, so that
// a bundle checks manifests without the YAML files beside it. Called by generate.ts and by test/contract/kinds.test.ts.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { assertNever } from '#kernel/assert-never.ts';
import type { FieldSchema } from '#model/kind-schema.ts';

type DescribedSchema = FieldSchema & { readonly description?: string };
type CustomResourceDefinition = {
  spec: {
    names: { kind: string };
    versions: { schema: { openAPIV3Schema: DescribedSchema } }[];
  };
};

const files = ['repositories.yaml', 'sites.yaml', 'gitpools.yaml'];

const head = `// Generated from crds/*.yaml by scripts/generate.ts; do not edit. \`npm run gen\` writes it again.
// Spec types have the schema's defaults applied, so a field with a default is always there.

import type { FieldSchema } from '#model/kind-schema.ts';
`;

/** The whole text of services/model/kinds.generated.ts. */
export function renderKinds(crdDirectory: string): string {
  const kinds = files.map((file) => {
    // The file is ours; a wrong shape fails here, in the generator.
    const crd = parse(readFileSync(`${crdDirectory}/${file}`, 'utf8')) as CustomResourceDefinition;
    const schema = crd.spec.versions[0]?.schema.openAPIV3Schema;
    if (schema === undefined) throw new TypeError(`${file} has no schema`);
    return { kind: crd.spec.names.kind, schema };
  });
  const types = kinds.map(({ kind, schema }) => {
    const spec: DescribedSchema = schema.properties?.['spec'] ?? {};
    return `/** ${schemaText(schema)} */\nexport type ${kind}Spec = ${renderType(spec, '')};\n`;
  });
  const constants = kinds.map(({ kind, schema }) => {
    const { properties, ...root } = schema;
    const checked = { ...root, properties: { spec: properties?.['spec'] ?? {} } };
    return `  ${kind}: ${indent(JSON.stringify(withoutText(checked), null, 2))},\n`;
  });
  return [
    head,
    ...types,
    `/** The schema of each kind: rules on the whole object, and the schema of its spec. */\n` +
      `export const kindSchemas: Readonly<Record<${kinds.map(({ kind }) => `'${kind}'`).join(' | ')}, FieldSchema>> = {\n` +
      `${constants.join('')}};\n`,
  ].join('\n');
}

function renderType(schema: DescribedSchema, pad: string): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'string | number';
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ');
  switch (schema.type) {
    case 'array':
      return `readonly (${renderType(schema.items ?? {}, pad)})[]`.replace(/\((\w+)\)/, '$1');
    case 'object':
      return renderObject(schema, pad);
    case 'integer':
      return 'number';
    case 'string':
    case 'boolean':
      return schema.type;
    case undefined:
      throw new TypeError('a schema without a type');
    default:
      return assertNever(schema.type);
  }
}

function renderObject(schema: DescribedSchema, pad: string): string {
  if (schema.additionalProperties !== undefined) {
    return `Readonly<Record<string, ${renderType(schema.additionalProperties, pad)}>>`;
  }
  const inner = `${pad}  `;
  const fields = Object.entries<DescribedSchema>(schema.properties ?? {}).map(([name, field]) => {
    const isAlwaysThere = field.default !== undefined || schema.required?.includes(name) === true;
    const mark = isAlwaysThere ? '' : '?';
    return `${inner}/** ${schemaText(field)} */\n${inner}readonly ${name}${mark}: ${renderType(field, inner)};\n`;
  });
  return `{\n${fields.join('')}${pad}}`;
}

function schemaText({ description }: DescribedSchema): string {
  if (description === undefined) throw new TypeError('a field without a description');
  return description.trim().replaceAll('*/', '*\\/');
}

/** The schema without its descriptions (a field named description stays). */
function withoutText(schema: DescribedSchema): unknown {
  const { description: _text, properties, items, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, withoutText(field)]),
      ),
    }),
    ...(items !== undefined && { items: withoutText(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: withoutText(additionalProperties),
    }),
  };
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
