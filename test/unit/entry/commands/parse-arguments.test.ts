import { expect, test } from 'vitest';
import { type Command, done } from '#entry/commands/command.ts';
import { parseArguments } from '#entry/commands/parse-arguments.ts';

const command: Command = {
  name: 'make',
  summary: 'Makes.',
  positionals: [
    { name: 'WHAT', text: 'a thing.' },
    { name: 'WHERE', isOptional: true, text: 'a place.' },
  ],
  options: [
    { name: 'file', short: 'f', value: 'FILE', isRepeatable: true, text: 'A file.' },
    { name: 'name', value: 'TEXT', text: 'A name.' },
    { name: 'loud', text: 'With noise.' },
  ],
  examples: [],
  run: () => Promise.resolve(done),
};

function parse(...args: string[]) {
  const parsed = parseArguments(command, args);
  if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed));
  return parsed.given;
}

test('values, switches, repetitions and positionals come by their names, in any order', () => {
  const given = parse('-f', 'a', 'cake', '--loud', '--file=b', 'here', '-fc', '--name', 'x y');
  expect(given.options('file')).toEqual(['a', 'b', 'c']);
  expect(given.option('name')).toBe('x y');
  expect([given.has('loud'), given.has('url')]).toEqual([true, false]);
  expect([given.positional('WHAT'), given.positional('WHERE')]).toEqual(['cake', 'here']);
});

test('what is not given is empty', () => {
  const given = parse('cake');
  expect(given.option('name')).toBeUndefined();
  expect(given.options('file')).toEqual([]);
  expect(given.positional('WHERE')).toBe('');
});

test('a dash alone is a value, and after two dashes everything is an argument', () => {
  expect(parse('cake', '-f', '-').options('file')).toEqual(['-']);
  expect(parse('--', '--loud').positional('WHAT')).toBe('--loud');
  expect(parse('cake', '--name=--loud').option('name')).toBe('--loud');
});

test('help wins over every mistake', () => {
  expect(parseArguments(command, ['--nonsense', '-h'])).toEqual({ kind: 'help' });
  expect(parseArguments(command, ['-h', '--nonsense'])).toEqual({ kind: 'help' });
  expect(parseArguments(command, ['--help'])).toEqual({ kind: 'help' });
});

test.each([
  [['cake', '--laud'], '"--laud" is no option here; did you mean --loud?'],
  [['cake', '--zzzzzzzz'], '"--zzzzzzzz" is no option here.'],
  [['cake', '-x'], /^"-x" is no option here/],
  [['cake', '--name'], '--name needs a value: TEXT.'],
  [['cake', '--name', '--loud'], '--name needs a value: TEXT.'],
  [['cake', '--name='], '--name needs a value that is not empty.'],
  [['cake', '--name', 'a', '--name', 'b'], '--name is given twice.'],
  [['cake', '--loud=yes'], '--loud takes no value.'],
  [[], 'WHAT is missing: a thing.'],
  [['a', 'b', 'c'], '"c" is one argument too many.'],
])('%j is refused with a sentence', (args, sentence) => {
  const parsed = parseArguments(command, args);
  if (parsed.kind !== 'wrong') throw new Error(parsed.kind);
  if (typeof sentence === 'string') expect(parsed.sentence).toBe(sentence);
  else expect(parsed.sentence).toMatch(sentence);
});
