// All refs of a repository at one moment, from which listings are answered in process. Callers: transport, page.
// Must stay true: a snapshot is served only while the fingerprint of the refs on disk is the one it was read under.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Coalescer } from '#kernel/coalesce.ts';
import type { Context } from '#kernel/context.ts';
import type { Refusal } from '#admission/refusal.ts';
import type { Oid } from '#model/oid.ts';
import type { RefFormat } from '#model/repository-state.ts';
import type { GitRunner } from '#git/git-runner.ts';
import {
  fingerprintOf,
  racyMs,
  type RefFingerprint,
  takeFingerprint,
} from '#git/ref-fingerprint.ts';

export type Ref = {
  readonly name: string;
  readonly oid: Oid;
  /** What an annotated tag points to in the end. */
  readonly peeled: Oid | undefined;
  readonly symrefTarget: string | undefined;
};

export type RefSnapshot = {
  /** Where HEAD points, also when that branch does not exist yet. */
  readonly headTarget: string | undefined;
  readonly headOid: Oid | undefined;
  /** Sorted by name, bytewise, as git lists them. */
  readonly refs: readonly Ref[];
};

const format = '%(objectname) %(*objectname) %(symref) %(refname)';
const maxListingBytes = 256 * 2 ** 20;

export class RefSnapshots {
  /** For readers of one repository that come at once: see transport/read-listed-refs.ts. */
  readonly turns = new Coalescer<RefSnapshot | Refusal>();
  readonly #git: GitRunner;
  readonly #cached = new Map<string, { fingerprint: RefFingerprint; snapshot: RefSnapshot }>();

  constructor(git: GitRunner) {
    this.#git = git;
  }

  /** The snapshot when it is known to be current; costs a few stats and no process. */
  current(gitDir: string): RefSnapshot | undefined {
    const cached = this.#cached.get(gitDir);
    if (cached === undefined) return undefined;
    const now = fingerprintOf(gitDir, cached.fingerprint.directories);
    return now.text === cached.fingerprint.text ? cached.snapshot : undefined;
  }

  /** Reads the refs by one git process (two on reftable) and keeps them when no change can have been missed. */
  async read(ctx: Context, gitDir: string, refFormat: RefFormat): Promise<RefSnapshot> {
    const fingerprint = await takeFingerprint(gitDir);
    const startedMs = Date.now();
    const [listing, headTarget] = await Promise.all([
      this.#git.read(ctx, {
        args: [`--git-dir=${gitDir}`, 'for-each-ref', `--format=${format}`],
        cwd: gitDir,
        label: 'for-each-ref',
        maxBytes: maxListingBytes,
      }),
      this.#readHead(ctx, gitDir, refFormat),
    ]);
    const refs = parseListing(listing);
    const headOid = refs.find(({ name }) => name === headTarget)?.oid;
    const snapshot = { headTarget, headOid, refs };
    if (fingerprint.newestMs + racyMs < startedMs)
      this.#cached.set(gitDir, { fingerprint, snapshot });
    else this.#cached.delete(gitDir);
    return snapshot;
  }

  /** Lets go of a repository that is no longer served. */
  forget(gitDir: string): void {
    this.#cached.delete(gitDir);
  }

  async #readHead(ctx: Context, gitDir: string, refFormat: RefFormat): Promise<string | undefined> {
    if (refFormat === 'files') return readHeadFile(gitDir);
    const { code, stdout } = await this.#git.run(ctx, {
      args: [`--git-dir=${gitDir}`, 'symbolic-ref', '--quiet', 'HEAD'],
      cwd: gitDir,
      label: 'other',
    });
    return code === 0 ? stdout.toString('utf8').trim() : undefined;
  }
}

/** Where HEAD points, in a repository of ref format files. */
export async function readHeadFile(gitDir: string): Promise<string | undefined> {
  return /^ref: (refs\/\S+)/.exec(await readFile(join(gitDir, 'HEAD'), 'utf8'))?.[1];
}

/** Parses the for-each-ref output above; names keep their bytes as latin1 would lose none, so utf8 is safe to compare. */
export function parseListing(text: string): readonly Ref[] {
  const refs: Ref[] = [];
  for (const line of text.split('\n')) {
    const [oid, peeled, symref, ...rest] = line.split(' ');
    const name = rest.join(' ');
    if (oid === undefined || name === '') continue;
    refs.push({
      name,
      oid: oid as Oid, // git printed it as %(objectname)
      peeled: peeled === '' ? undefined : (peeled as Oid),
      symrefTarget: symref === '' ? undefined : symref,
    });
  }
  return refs;
}
