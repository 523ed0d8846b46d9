import { expect, test } from 'vitest';
import { parseCloneRequest, planPackObjects, renderCloneHead } from '#git/clone-request.ts';
import type { RefSnapshot } from '#git/ref-snapshot.ts';
import type { Oid } from '#model/oid.ts';

const oid = (digit: string) => digit.repeat(40) as Oid;
const [main, topic, tag, commit] = [oid('1'), oid('2'), oid('3'), oid('4')];

const snapshot: RefSnapshot = {
  headTarget: 'refs/heads/main',
  headOid: main,
  refs: [
    { name: 'refs/heads/main', oid: main, peeled: undefined, symrefTarget: undefined },
    { name: 'refs/heads/topic', oid: topic, peeled: undefined, symrefTarget: undefined },
    { name: 'refs/tags/v1', oid: tag, peeled: commit, symrefTarget: undefined },
  ],
};

const head = ['command=fetch', 'agent=git/2.39.5', 'object-format=sha1', 'thin-pack', 'ofs-delta'];
const parse = (...lines: string[]) => parseCloneRequest([...head, ...lines], snapshot, 'sha1');

test('a whole clone wants tips, has nothing, and is done', () => {
  const clone = parse(
    'no-progress',
    'include-tag',
    `want ${main}`,
    `want ${tag}`,
    `want ${main}`,
    'done',
  );
  expect(clone).toMatchObject({ wants: [main, tag], shallow: [] });
  expect(clone && planPackObjects(clone)).toEqual({
    args: [
      'pack-objects',
      '--revs',
      '--thin',
      '--stdout',
      '--quiet',
      '--delta-base-offset',
      '--include-tag',
    ],
    input: `${main}\n${tag}\n--not\n\n`,
  });
  expect(clone && String(renderCloneHead(clone))).toBe('000dpackfile\n');
});

test('--depth 1 cuts at the branches it wants', () => {
  const clone = parse('deepen 1', `want ${topic}`, 'done');
  expect(clone && planPackObjects(clone)).toEqual({
    args: [
      '--shallow-file',
      '',
      'pack-objects',
      '--revs',
      '--thin',
      '--stdout',
      '--shallow',
      '--progress',
      '--delta-base-offset',
    ],
    input: `--shallow ${topic}\n${topic}\n--not\n\n`,
  });
  expect(clone && String(renderCloneHead(clone))).toBe(
    `0011shallow-info\n0034shallow ${topic}0001000dpackfile\n`,
  );
});

test.each([
  ['haves need a negotiation', [`want ${main}`, `have ${topic}`, 'done']],
  ['so does a request that is not done', [`want ${main}`]],
  ['no want at all', ['done']],
  ['an object that is no tip', [`want ${commit}`, 'done']],
  ['what is no object id', ['want main', 'done']],
  ['a tag with a depth: it may point to anything', ['deepen 1', `want ${tag}`, 'done']],
  ['another depth', ['deepen 2', `want ${main}`, 'done']],
  ['a client that is shallow already', ['deepen 1', `shallow ${topic}`, `want ${main}`, 'done']],
  ['deepen-since', ['deepen-since 1', `want ${main}`, 'done']],
  ['a filter', ['filter blob:none', `want ${main}`, 'done']],
  ['wait-for-done', ['wait-for-done', `want ${main}`, 'done']],
  ['an argument of the future', ['surprise', `want ${main}`, 'done']],
  ['another object format', ['object-format=sha256', `want ${main}`, 'done']],
])('upload-pack answers: %s', (_, lines) => {
  expect(parse(...lines)).toBeUndefined();
});
