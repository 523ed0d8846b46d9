// The rules of the code base that no linter knows: folders, sizes, names, twins, and no trace of a machine.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listTrackedFiles } from '#support/tracked-files.ts';
import packageJson from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));

function listFiles(folder: string, ends: RegExp): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ends.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .toSorted();
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

const sources = [...listFiles('services', /\.ts$/), ...listFiles('operator', /\.ts$/)];
const written = sources.filter((file) => !file.endsWith('.generated.ts'));
const tests = listFiles('test', /\.(ts|mjs)$/);

function layerFolders(): string[] {
  const [, list = ''] =
    /const layers = \[([\s\S]*?)\n\];/.exec(read('.dependency-cruiser.mjs')) ?? [];
  return [...list.matchAll(/'([a-z]+)'/g)].map(([, folder = '']) => folder);
}

test('every folder of services is a layer, and every layer has its import name', () => {
  const layers = layerFolders();
  expect(layers.length).toBeGreaterThan(10);
  const folders = readdirSync(join(root, 'services'));
  expect(folders.filter((folder) => !layers.includes(folder))).toEqual([]);
  const names = Object.entries(packageJson.imports)
    .filter(([, target]) => target.startsWith('./services/'))
    .map(([name, target]) => `${name} ${target}`);
  const expected = layers.map((layer) => `#${layer}/* ./services/${layer}/*`);
  expect(names.toSorted()).toEqual(expected.toSorted());
});

test('every source file opens with a comment', () => {
  expect(written.filter((file) => !/^(#!.*\n)?\/\/ \S/.test(read(file)))).toEqual([]);
});

test('source files are short: the median below 90 lines, none above 400', () => {
  const sizes = written.map((file) => ({ file, lines: read(file).split('\n').length - 1 }));
  const sorted = sizes.map(({ lines }) => lines).toSorted((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(90);
  expect([...sizes].filter(({ lines }) => lines > 400)).toEqual([]);
});

test('test files are no longer than source files may be', () => {
  expect(tests.filter((file) => read(file).split('\n').length > 401)).toEqual([]);
});

test('every unit test has its source at the same path', () => {
  const lonely = listFiles('test/unit', /\.test\.ts$/).filter((file) => {
    const twin = file.replace(/^test\/unit\//, '').replace(/\.test\.ts$/, '.ts');
    return ![`services/${twin}`, twin].some((path) => existsSync(join(root, path)));
  });
  expect(lonely).toEqual([]);
});

test('files are named after what they hold', () => {
  const all = [...sources, ...tests, ...listFiles('load', /\.ts$/)];
  const catchAll = /^(index|utils?|helpers?|common|misc|types|shared)\.(ts|mjs)$/;
  expect(all.filter((file) => catchAll.test(basename(file)))).toEqual([]);
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|generated|d))?\.(ts|mjs)$/;
  expect(all.filter((file) => !kebab.test(basename(file)))).toEqual([]);
});

test('no file in services reads the environment or the argument list outside entry', () => {
  const readers = written.filter(
    (file) =>
      !file.startsWith('services/entry/') &&
      /\bprocess\.(env|argv)\b/.test(stripComments(read(file))),
  );
  expect(readers.filter((file) => !file.startsWith('operator/main'))).toEqual([]);
});

test('tests start processes through test/support only', () => {
  const starts = /from '(node:)?child_process'/;
  expect(
    tests.filter((file) => !file.startsWith('test/support/') && starts.test(read(file))),
  ).toEqual([]);
});

test('no tracked text names a machine’s folders or a package registry', () => {
  const tracked = listTrackedFiles(root).filter((file) => existsSync(join(root, file)));
  // Bracketed, so that this file does not name them either.
  const traces = /\/wor[k]\/|\/roo[t]\/|registry\.npm[j]s|registry\.yarn[p]kg|npm\.pkg\.git[h]ub/;
  const found = tracked.flatMap((file) => {
    const bytes = readFileSync(join(root, file));
    if (bytes.subarray(0, 8000).includes(0)) return [];
    return bytes
      .toString('utf8')
      .split('\n')
      .flatMap((line, index) =>
        traces.test(line) ? [`${file}:${index + 1}: ${line.slice(0, 160)}`] : [],
      );
  });
  expect(found).toEqual([]);
});

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

test('the layer check looks at every folder with code', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const folders = readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => ['services', 'operator', 'test', 'load'].includes(name))
    .filter((name) => readdirSync(name).length > 0);
  for (const name of folders) expect(scripts['check:layers']).toContain(` ${name}`);
});
