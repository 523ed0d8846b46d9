import { expect, test } from 'vitest';
import { parseManifests } from '#catalog/parse-manifests.ts';
import { joinManifests } from '#entry/commands/join-manifests.ts';

test('one file goes as it is', () => {
  const joined = joinManifests([{ name: 'a.yaml', text: '\uFEFFa: {' }]);
  expect(joined.text).toBe('\uFEFFa: {');
  expect(joined.problems).toEqual([]);
  expect(joined.locate(7)).toEqual({ file: 'a.yaml', line: 7 });
});

test('several files become the documents of one text, whatever each begins and ends with', () => {
  const files = [
    { name: 'a', text: 'n: 1' },
    { name: 'b', text: '---\nn: 2\n---\nn: 3\n' },
    { name: 'c', text: '%YAML 1.2\n---\nn: 4\n...\n' },
    { name: 'd', text: '' },
    { name: 'e', text: '\uFEFF# a comment\n{"n": 5}' },
  ];
  const { text, problems, locate } = joinManifests(files);
  expect(problems).toEqual([]);
  const parsed = parseManifests('all', text);
  if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
  expect(parsed.documents.map(({ value }) => value)).toEqual([
    { n: 1 },
    { n: 2 },
    { n: 3 },
    { n: 4 },
    { n: 5 },
  ]);
  const places = parsed.documents.map(({ line }) => locate(line));
  expect(places.map(({ file, line }) => `${file}:${line}`)).toEqual([
    'a:1',
    'b:2',
    'b:4',
    'c:3',
    'e:2',
  ]);
});

test('a mistake that would swallow the next file is told of its own', () => {
  const { problems } = joinManifests([
    { name: 'a', text: 'a: {\n' },
    { name: 'b', text: 'n: 1\n' },
    { name: 'c', text: 'x: "\n' },
  ]);
  expect(new Set(problems.map(({ file }) => file))).toEqual(new Set(['a', 'c']));
});
