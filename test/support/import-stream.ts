// Writes what `git fast-import` reads, for repository-builder.ts. Pure: the same commits give the same bytes.

export type CommitSpec = {
  readonly message?: string;
  /** Path → content; null deletes the path. */
  readonly files?: Readonly<Record<string, string | Buffer | null>>;
  /** The branch it extends; `main` when not given. A new branch starts at the latest commit of `main`. */
  readonly branch?: string;
  /** Indexes of commits to merge in, besides the branch's own tip. */
  readonly merges?: readonly number[];
};

/** A light tag by index of a commit, an annotated one with a message. */
export type TagSpec = number | { readonly at: number; readonly message: string };

/** Commit `n` of the list has the mark `n + 1`. */
export function buildImportStream(
  commits: readonly CommitSpec[],
  branches: Readonly<Record<string, number>> = {},
  tags: Readonly<Record<string, TagSpec>> = {},
): Buffer {
  const tips = new Map<string, number>();
  const parts: Buffer[] = [];
  for (const [index, commit] of commits.entries()) {
    const branch = commit.branch ?? 'main';
    parts.push(...writeCommit(commit, index, tips.get(branch) ?? tips.get('main')));
    tips.set(branch, index);
  }
  for (const [name, at] of Object.entries(branches)) {
    parts.push(Buffer.from(`reset refs/heads/${name}\nfrom :${at + 1}\n\n`));
  }
  for (const [name, tag] of Object.entries(tags)) parts.push(...writeTag(name, tag));
  return Buffer.concat([...parts, Buffer.from('done\n')]);
}

function writeCommit(commit: CommitSpec, index: number, parent: number | undefined): Buffer[] {
  const { branch = 'main', message = `commit ${index}`, merges = [], files = {} } = commit;
  const head = [
    `commit refs/heads/${branch}`,
    `mark :${index + 1}`,
    `committer Test Author <author@example.test> ${1_700_000_000 + index * 60} +0000\n`,
  ].join('\n');
  const parents = [
    ...(parent === undefined ? [] : [`from :${parent + 1}\n`]),
    ...merges.map((merged) => `merge :${merged + 1}\n`),
  ].join('');
  const changes = Object.entries(files).flatMap(([path, content]) =>
    content === null
      ? [Buffer.from(`D ${quote(path)}\n`)]
      : [Buffer.from(`M 100644 inline ${quote(path)}\n`), ...writeData(content)],
  );
  return [Buffer.from(head), ...writeData(message), Buffer.from(parents), ...changes];
}

function writeTag(name: string, tag: TagSpec): Buffer[] {
  if (typeof tag === 'number')
    return [Buffer.from(`reset refs/tags/${name}\nfrom :${tag + 1}\n\n`)];
  const tagger = 'tagger Test Author <author@example.test> 1700000000 +0000';
  return [Buffer.from(`tag ${name}\nfrom :${tag.at + 1}\n${tagger}\n`), ...writeData(tag.message)];
}

function writeData(content: string | Buffer): Buffer[] {
  const bytes = Buffer.from(content);
  return [Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')];
}

function quote(path: string): string {
  return `"${path.replace(/[\\"]/g, (char) => `\\${char}`).replace(/\n/g, '\\n')}"`;
}
