// The folder catalog on real folders: what a person, an editor or a ConfigMap does to them is served within a second.

import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CatalogState } from '#catalog/catalog.ts';
import { createDirectoryCatalog } from '#catalog/directory-catalog.ts';
import type { DirectoryCatalog } from '#catalog/directory-catalog.ts';
import { eventually } from '#support/eventually.ts';
import { watchLeaks } from '#support/leak-check.ts';
import { joinDocuments, repositoryOf } from '#support/manifest-text.ts';
import { createTempDirectory } from '#support/temp-directory.ts';
import { createTestContext } from '#support/test-context.ts';
import type { TestContext } from '#support/test-context.ts';

// The event loop keeps one inotify handle from the first watch on: it is there before leaks are looked for.
watch(tmpdir()).close();

type Watched = AsyncDisposable & {
  readonly catalog: DirectoryCatalog;
  readonly directory: string;
  readonly states: CatalogState[];
  readonly ctx: TestContext;
  paths(): string[];
  write(file: string, text: string): Promise<void>;
  /** Waits until exactly these paths are served, a second at most. */
  serves(...paths: string[]): Promise<void>;
};

async function watchFolder(files: Readonly<Record<string, string>> = {}): Promise<Watched> {
  const leaks = await watchLeaks();
  const folder = await createTempDirectory('catalog');
  const directory = join(folder.path, 'catalog');
  await mkdir(directory);
  const write = (file: string, text: string) => writeFile(join(directory, file), text);
  for (const [file, text] of Object.entries(files)) await write(file, text);
  const ctx = createTestContext();
  const catalog = createDirectoryCatalog({ directory, log: ctx.log });
  const states: CatalogState[] = [];
  catalog.onChange((state) => states.push(state));
  await catalog.start(ctx);
  const paths = () => [...catalog.state().repositories.keys()].toSorted();
  return {
    catalog,
    directory,
    states,
    ctx,
    paths,
    write,
    serves: async (...wanted) => {
      await eventually(
        `${wanted.join(' ')} served`,
        () => JSON.stringify(paths()) === JSON.stringify(wanted),
        1000,
      );
    },
    async [Symbol.asyncDispose]() {
      await catalog.close();
      await folder[Symbol.asyncDispose]();
      await leaks.check();
    },
  };
}

const sentences = ({ catalog }: Watched) =>
  catalog.state().problems.map(({ file, line, sentence }) => `${file}:${line} ${sentence}`);

describe('a folder of manifests', () => {
  test('is served when it starts, and a new file within a second', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one') });
    expect(folder.paths()).toEqual(['default/one']);
    await folder.write('b.yml', repositoryOf('two'));
    await folder.serves('default/one', 'default/two');
    await folder.write(
      'c.json',
      '{"apiVersion":"warren.dev/v1alpha1","kind":"Repository","metadata":{"name":"three"}}',
    );
    await folder.serves('default/one', 'default/three', 'default/two');
  });

  test('loses a repository with its file and has it again with it', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one') });
    await rename(join(folder.directory, 'a.yaml'), join(folder.directory, 'a.off'));
    await folder.serves();
    await rename(join(folder.directory, 'a.off'), join(folder.directory, 'a.yaml'));
    await folder.serves('default/one');
  });

  test('keeps what served while a file is bad, says so once, and says when it is good again', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one') });
    await folder.write('a.yaml', repositoryOf('one', 'visibilty: public'));
    await eventually('the refusal', () => sentences(folder).length === 1, 1000);
    expect(sentences(folder)).toEqual([
      'a.yaml:6 spec.visibilty is no known field; did you mean visibility?',
    ]);
    expect(folder.paths()).toEqual(['default/one']);
    await folder.write('b.yaml', repositoryOf('two'));
    await folder.serves('default/one', 'default/two');
    await folder.write('a.yaml', repositoryOf('one', 'visibility: public'));
    await eventually('the change', () => sentences(folder).length === 0, 1000);
    expect(folder.catalog.state().repositories.get('default/one')?.spec.visibility).toBe('public');
    const said = folder.ctx.lines.filter((line) => line.includes('refused'));
    expect(said.map((line) => JSON.parse(line).level)).toEqual(['warn', 'info']);
  });

  test('tells listeners of changes only', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one') });
    const before = folder.states.length;
    await folder.write('a.yaml', `# a comment\n${repositoryOf('one')}`);
    await folder.write('b.yaml', repositoryOf('two'));
    await folder.serves('default/one', 'default/two');
    await folder.write('b.yaml', `\n${repositoryOf('two')}`);
    await eventually(
      'the new line',
      () => folder.catalog.state().repositories.get('default/two')?.origin.line === 2,
      1000,
    );
    expect(folder.states.length).toBe(before + 1);
  });

  test('follows an editor that writes a file anew and renames it, without a moment of absence', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one') });
    for (const visibility of ['public', 'internal', 'private', 'public']) {
      await rename(join(folder.directory, 'a.yaml'), join(folder.directory, 'a.yaml~'));
      await folder.write('.a.yaml.swp', repositoryOf('one', `visibility: ${visibility}`));
      await rename(join(folder.directory, '.a.yaml.swp'), join(folder.directory, 'a.yaml'));
      await eventually(
        visibility,
        () =>
          folder.catalog.state().repositories.get('default/one')?.spec.visibility === visibility,
        1000,
      );
    }
    expect(folder.states.every((state) => state.repositories.has('default/one'))).toBe(true);
  });

  test('does not take a file that is emptied before it is written for an empty one', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one') });
    for (let round = 0; round < 5; round++) {
      await folder.write('a.yaml', '');
      await new Promise((resolve) => setTimeout(resolve, 40));
      await folder.write('a.yaml', joinDocuments(repositoryOf('one'), repositoryOf(`r${round}`)));
      await folder.serves('default/one', `default/r${round}`);
    }
    expect(folder.states.every((state) => state.repositories.has('default/one'))).toBe(true);
    await folder.write('a.yaml', '');
    await folder.serves();
  });

  test('follows the links of a ConfigMap when its data is swapped', async () => {
    await using folder = await watchFolder();
    const inside = (name: string) => join(folder.directory, name);
    const swap = async (name: string, text: string) => {
      await mkdir(inside(name));
      await writeFile(join(inside(name), 'a.yaml'), text);
      await symlink(name, inside('..data_tmp'));
      await rename(inside('..data_tmp'), inside('..data'));
    };
    await swap('..2026_01', repositoryOf('one'));
    await symlink('..data/a.yaml', inside('a.yaml'));
    await folder.serves('default/one');
    await swap('..2026_02', repositoryOf('two'));
    await rm(inside('..2026_01'), { recursive: true });
    await folder.serves('default/two');
  });

  test('may be absent, come later, and be replaced', async () => {
    await using folder = await watchFolder();
    await rm(folder.directory, { recursive: true });
    await mkdir(`${folder.directory}.new`);
    await writeFile(join(`${folder.directory}.new`, 'a.yaml'), repositoryOf('one'));
    await rename(`${folder.directory}.new`, folder.directory);
    await folder.serves('default/one');
    await folder.write('b.yaml', repositoryOf('two'));
    await folder.serves('default/one', 'default/two');
    await rm(folder.directory, { recursive: true });
    await folder.serves();
    expect(sentences(folder)).toEqual([]);
  });

  test('that cannot be read takes nothing away', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one') });
    await rename(folder.directory, `${folder.directory}.away`);
    await writeFile(folder.directory, 'no folder');
    await eventually('the problem', () => sentences(folder).length === 1, 1000);
    expect(sentences(folder)[0]).toMatch(/^\.:1 the catalog directory cannot be read: ENOTDIR/);
    expect(folder.paths()).toEqual(['default/one']);
    await rm(folder.directory);
    await rename(`${folder.directory}.away`, folder.directory);
    await eventually('no problem', () => sentences(folder).length === 0, 1000);
    expect(folder.paths()).toEqual(['default/one']);
  });

  test('refuses files that cannot be used, each with its sentence', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one') });
    await folder.write('a.yaml', `${repositoryOf('one')}#${'x'.repeat(4 * 2 ** 20)}`);
    await writeFile(join(folder.directory, 'b.yaml'), Buffer.from([0x61, 0xff, 0xfe]));
    await mkdir(join(folder.directory, 'c.yaml'));
    await symlink('d.yaml', join(folder.directory, 'd.yaml'));
    await symlink('nowhere', join(folder.directory, 'e.yaml'));
    await eventually('four refusals', () => sentences(folder).length === 4, 1000);
    expect(sentences(folder)).toEqual([
      'a.yaml:1 a manifest file has at most 4 MiB',
      'b.yaml:1 the file is not UTF-8 text',
      'c.yaml:1 this is no regular file',
      expect.stringMatching(/^d\.yaml:1 the file cannot be read: ELOOP/),
    ]);
    expect(folder.paths()).toEqual(['default/one']);
  });

  test('a listener that throws stops nobody', async () => {
    await using folder = await watchFolder();
    folder.catalog.onChange(() => {
      throw new Error('a broken listener');
    });
    const seen: number[] = [];
    using _listening = folder.catalog.onChange((state) => seen.push(state.repositories.size));
    await folder.write('a.yaml', repositoryOf('one'));
    await eventually('the second listener', () => seen.includes(1), 1000);
    expect(folder.ctx.lines.join('\n')).toContain('a broken listener');
  });
});

describe('applying a text to a folder', () => {
  const apply = (folder: Watched, text: string) =>
    folder.catalog.apply(folder.ctx, { file: 'mine.yaml', text });

  test('writes new objects to files of their own and serves them on return', async () => {
    await using folder = await watchFolder();
    await rm(folder.directory, { recursive: true });
    const text = joinDocuments(
      `# kept\n${repositoryOf('one')}`,
      'apiVersion: warren.dev/v1alpha1\nkind: Site\nmetadata: {name: docs, namespace: team}\nspec: {repository: one}\n',
    );
    const outcome = await apply(folder, text);
    expect(outcome).toMatchObject({
      kind: 'applied',
      objects: [
        { kind: 'Repository', name: 'one', result: 'created', file: 'default-one.yaml' },
        { kind: 'Site', name: 'docs', result: 'created', file: 'team-docs.site.yaml' },
      ],
    });
    expect(folder.paths()).toEqual(['default/one']);
    expect(await readCatalogFile(folder, 'default-one.yaml')).toBe(
      `# kept\n${repositoryOf('one')}`,
    );
    expect(await apply(folder, text)).toMatchObject({
      objects: [{ result: 'unchanged' }, { result: 'unchanged' }],
    });
  });

  test('replaces an object where it is and leaves the rest of its file', async () => {
    const rest = `# the other one\n${repositoryOf('two')}`;
    await using folder = await watchFolder({
      'all.yaml': joinDocuments(repositoryOf('one'), rest),
    });
    const changed = repositoryOf('one', 'visibility: public # for all');
    expect(await apply(folder, changed)).toMatchObject({
      objects: [{ result: 'configured', file: 'all.yaml' }],
    });
    expect(await readCatalogFile(folder, 'all.yaml')).toBe(joinDocuments(changed, rest));
    expect(folder.catalog.state().repositories.get('default/one')?.spec.visibility).toBe('public');
  });

  test('keeps two objects apart whose file names would be one', async () => {
    await using folder = await watchFolder();
    const text =
      'apiVersion: warren.dev/v1alpha1\nkind: Repository\nmetadata: {namespace: a, name: b-c}\n';
    await apply(folder, text);
    await apply(folder, text.replace('{namespace: a, name: b-c}', '{namespace: a-b, name: c}'));
    expect(folder.paths()).toEqual(['a-b/c', 'a/b-c']);
  });

  test('reports every problem of the text in its own lines, and writes nothing', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one', 'path: team/app') });
    const outcome = await apply(
      folder,
      joinDocuments(
        repositoryOf('good'),
        repositoryOf('bad', 'colour: red'),
        repositoryOf('two', 'path: team/app'),
        repositoryOf('one', 'path: team/moved\narchived: 1'),
      ),
    );
    expect(outcome).toEqual({
      kind: 'refused',
      problems: [
        { file: 'mine.yaml', line: 11, sentence: 'spec.colour is no known field' },
        expect.objectContaining({ line: 18, sentence: expect.stringContaining('already taken') }),
        { file: 'mine.yaml', line: 26, sentence: 'spec.archived must be true or false, not 1' },
      ],
    });
    expect(folder.paths()).toEqual(['team/app']);
    expect(await apply(folder, '')).toMatchObject({ kind: 'refused' });
    expect(await apply(folder, '{{{')).toMatchObject({ kind: 'refused' });
  });

  test('refuses to touch a file that it cannot read, and a change of what cannot change', async () => {
    await using folder = await watchFolder({
      'a.yaml': repositoryOf('one', 'objectFormat: sha256'),
    });
    expect(await apply(folder, repositoryOf('one', 'objectFormat: sha1'))).toMatchObject({
      kind: 'refused',
      problems: [{ line: 6, sentence: expect.stringContaining('cannot change') }],
    });
    await folder.write('a.yaml', `${repositoryOf('one')}{{{`);
    expect(
      await apply(folder, repositoryOf('one', 'objectFormat: sha256\narchived: true')),
    ).toMatchObject({
      kind: 'refused',
      problems: [{ sentence: expect.stringContaining('a.yaml, which cannot be read as it is') }],
    });
  });

  test('says when the folder cannot be written, and leaves no temporary file', async () => {
    await using folder = await watchFolder({ 'a.yaml': repositoryOf('one') });
    await mkdir(join(folder.directory, 'default-two.yaml'));
    await expect(apply(folder, repositoryOf('one', 'archived: true'))).resolves.toMatchObject({
      kind: 'applied',
    });
    await rename(folder.directory, `${folder.directory}.away`);
    await writeFile(folder.directory, 'no folder');
    await expect(apply(folder, repositoryOf('three'))).resolves.toMatchObject({ kind: 'refused' });
    await rm(folder.directory);
    await symlink('/proc/no/such/folder', folder.directory);
    await expect(apply(folder, repositoryOf('three'))).rejects.toMatchObject({
      code: 'CATALOG_UNWRITABLE',
    });
    expect(await readdir(`${folder.directory}.away`)).toEqual(['a.yaml', 'default-two.yaml']);
  });
});

async function readCatalogFile({ directory }: Watched, file: string): Promise<string> {
  return readFile(join(directory, file), 'utf8');
}
