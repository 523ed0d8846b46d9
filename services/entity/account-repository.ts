// The system repository of accounts: `accounts/<name>.json` in a commit on refs/warren/accounts. The only file that knows
// it is git; account-store.ts owns one. Must stay true: the ref moves last, old → new, after all it needs is on
// disk; so a crash at any instant leaves the old state or the new one, and a lost race is a value.

import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '#kernel/context.ts';
import { syncDirectory } from '#kernel/durable-file.ts';
import { errnoOf, ForgeError } from '#kernel/forge-error.ts';
import type { RunResult } from '#process/run-child.ts';
import { type AccountRecord, decodeAccount, encodeAccount } from '#entity/account-record.ts';
import { readBlobs } from '#entity/read-blobs.ts';
import type { RunSystemGit } from '#entity/run-system-git.ts';

const accountsRef = 'refs/warren/accounts';
const folder = 'accounts';
const noObject = '0'.repeat(40);
const staleLockMs = 10_000;

/** The state at one commit: enough to write the next one, and the blobs to read again only what changed. */
export type AccountSnapshotTree = {
  /** noObject before the first write. */
  readonly head: string;
  /** Files of accounts/, by file name. */
  readonly files: ReadonlyMap<string, string>;
  /** Lines of mktree for whatever else is at the root: kept as it is. */
  readonly otherRoot: readonly string[];
  /** The same for whatever in accounts/ is no account. */
  readonly otherFiles: readonly string[];
};

export const emptySnapshot: AccountSnapshotTree = {
  head: noObject,
  files: new Map(),
  otherRoot: [],
  otherFiles: [],
};

export type Loaded = {
  readonly snapshot: AccountSnapshotTree;
  readonly records: ReadonlyMap<string, AccountRecord>;
  /** Account name → why its file cannot be read. */
  readonly unreadable: ReadonlyMap<string, string>;
};

export type Commit =
  | { readonly kind: 'committed'; readonly snapshot: AccountSnapshotTree }
  | { readonly kind: 'conflict' };

export class AccountRepository {
  readonly #gitDir: string;
  readonly #git: RunSystemGit;

  constructor(gitDir: string, git: RunSystemGit) {
    this.#gitDir = gitDir;
    this.#git = git;
  }

  /** Makes the repository if it is not there; harmless on one that is, or that a crash left half made. */
  async open(ctx: Context): Promise<void> {
    await mkdir(dirname(this.#gitDir), { recursive: true, mode: 0o700 });
    const format = { GIT_DEFAULT_REF_FORMAT: 'files', GIT_DEFAULT_HASH: 'sha1' };
    const args = ['init', '--quiet', '--bare', '--template=', '--shared=0600'];
    await this.#must(ctx, { args, env: format });
    for (const path of [this.#gitDir, dirname(this.#gitDir), dirname(dirname(this.#gitDir))]) {
      await syncDirectory(path);
    }
  }

  /** Changes whenever the ref may have moved, at the price of two stats. */
  async refSignature(): Promise<string> {
    const paths = [accountsRef, 'packed-refs'].map((path) => join(this.#gitDir, path));
    return (await Promise.all(paths.map(signatureOf))).join(' ');
  }

  /**
   * The commit the ref is at; noObject when there is none.
   * @throws REPOSITORY_UNUSABLE when there is a ref that git cannot read: it must not pass for a fresh start.
   */
  async head(ctx: Context): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      const args = ['for-each-ref', '--format=%(objectname)', accountsRef];
      const result = await this.#must(ctx, { args });
      const oid = result.stdout.toString('latin1').trim();
      if (oid !== '') return oid;
      if ((await signatureOf(join(this.#gitDir, accountsRef))) === '-') return noObject;
      // Asked once more: the ref may have been made between the two looks.
      if (attempt > 0) throw unusable('for-each-ref', result);
    }
  }

  /** Reads everything at the ref; blobs that `known` has are taken from its records. Three git processes. */
  async load(ctx: Context, known?: Loaded): Promise<Loaded> {
    const head = await this.head(ctx);
    if (known !== undefined && known.snapshot.head === head) return known;
    if (head === noObject) {
      return { snapshot: emptySnapshot, records: new Map(), unreadable: new Map() };
    }
    const listing = await this.#must(ctx, { args: ['ls-tree', '-r', '-t', '-z', head] });
    const snapshot = readListing(head, listing.stdout.toString('utf8'));
    const changed = [...snapshot.files].filter(
      ([file, oid]) => known?.snapshot.files.get(file) !== oid,
    );
    const input = changed.map(([, oid]) => `${oid}\n`).join('');
    const batch = await this.#must(ctx, { args: ['cat-file', '--batch', '--buffer'], input });
    const texts = readBlobs(batch.stdout);

    const records = new Map<string, AccountRecord>();
    const unreadable = new Map<string, string>();
    for (const [file, oid] of snapshot.files) {
      const name = file.replace(/\.json$/, '');
      const text = texts.get(oid);
      const before = text === undefined ? known?.records.get(name) : undefined;
      const decoded =
        before === undefined
          ? decodeAccount(name, text ?? '')
          : { ok: true as const, record: before };
      if (decoded.ok) records.set(name, decoded.record);
      else unreadable.set(name, decoded.sentence);
    }
    return { snapshot, records, unreadable };
  }

  /**
   * Writes the record on top of `base` and moves the ref from it; conflict when the ref is elsewhere by now.
   * @param about who did it and why, for `git log`.
   */
  async commit(
    ctx: Context,
    base: AccountSnapshotTree,
    record: AccountRecord,
    about: { by: string; why: string },
  ): Promise<Commit> {
    const blob = await this.#write(ctx, ['hash-object', '-w', '--stdin'], encodeAccount(record));
    const files = new Map(base.files).set(`${record.name}.json`, blob);
    const entries = [...files].map(([file, oid]) => `100644 blob ${oid}\t${file}\0`).join('');
    const listing = [...base.otherFiles, entries].join('');
    const accounts = await this.#write(ctx, ['mktree', '-z'], listing);
    const root = [...base.otherRoot, `040000 tree ${accounts}\t${folder}\0`].join('');
    const tree = await this.#write(ctx, ['mktree', '-z'], root);
    const parents = base.head === noObject ? [] : ['-p', base.head];
    const env = identityOf(about.by);
    const head = await this.#write(ctx, ['commit-tree', ...parents, tree], about.why, env);
    const moved = await this.#moveRef(ctx, base.head, head);
    if (!moved) return { kind: 'conflict' };
    return { kind: 'committed', snapshot: { ...base, head, files } };
  }

  async #moveRef(ctx: Context, from: string, to: string): Promise<boolean> {
    const args = ['update-ref', '--no-deref', accountsRef, to, from];
    for (let attempt = 0; ; attempt++) {
      const result = await this.#git(ctx, { args });
      const now = result.code === 0 ? to : await this.head(ctx);
      if (now === to) {
        // git syncs the ref's file, not the folder that names it.
        await syncDirectory(join(this.#gitDir, dirname(accountsRef)));
        return true;
      }
      if (now !== from) return false;
      // The ref is where it was and yet cannot move: a lock. One whose git was killed stays for ever.
      if (attempt > 0 || !(await this.#removeStaleLock())) throw unusable('update-ref', result);
      ctx.log.warn('removed a lock that a crash left on the accounts');
    }
  }

  async #removeStaleLock(): Promise<boolean> {
    const lock = join(this.#gitDir, `${accountsRef}.lock`);
    try {
      const { mtimeMs } = await stat(lock);
      if (Date.now() - mtimeMs < staleLockMs) return false;
      await rm(lock, { force: true });
      return true;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return true;
      throw error;
    }
  }

  async #write(
    ctx: Context,
    args: readonly string[],
    input: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const result = await this.#must(ctx, { args, input, env });
    return result.stdout.toString('latin1').trim();
  }

  async #must(ctx: Context, call: Parameters<RunSystemGit>[1]): Promise<RunResult> {
    const result = await this.#git(ctx, call);
    if (result.code !== 0) throw unusable(call.args[0] ?? '', result);
    return result;
  }
}

function unusable(command: string, { code, stderr }: RunResult): ForgeError {
  return new ForgeError('REPOSITORY_UNUSABLE', {
    repository: 'system/accounts.git',
    command,
    exitCode: code ?? -1,
    stderr,
  });
}

function readListing(head: string, listing: string): AccountSnapshotTree {
  const files = new Map<string, string>();
  const otherRoot: string[] = [];
  const otherFiles: string[] = [];
  for (const line of listing.split('\0')) {
    const [, entry = '', path = ''] = /^(\d+ \w+ \w+)\t(.+)$/s.exec(line) ?? [];
    const account = /^accounts\/([^/]+)$/.exec(path)?.[1];
    const blob = account === undefined ? undefined : accountBlob(entry, account);
    if (account !== undefined && blob !== undefined) files.set(account, blob);
    else if (account !== undefined) otherFiles.push(`${entry}\t${account}\0`);
    else if (/^[^/]+$/.test(path) && path !== folder) otherRoot.push(`${line}\0`);
  }
  return { head, files, otherRoot, otherFiles };
}

function accountBlob(entry: string, file: string): string | undefined {
  return file.endsWith('.json') ? /^100\d+ blob (\w+)$/.exec(entry)?.[1] : undefined;
}

function identityOf(by: string): Record<string, string> {
  const email = `${by}@warren.invalid`;
  return {
    GIT_AUTHOR_NAME: by,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: 'warren',
    GIT_COMMITTER_EMAIL: 'warren@warren.invalid',
  };
}

async function signatureOf(path: string): Promise<string> {
  try {
    const { ino, mtimeNs, ctimeNs, size } = await stat(path, { bigint: true });
    return `${ino}:${mtimeNs}:${ctimeNs}:${size}`;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return '-';
    throw error;
  }
}
