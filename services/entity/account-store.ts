// Accounts, tokens and SSH keys: reads from memory, writes as one commit each. The api writes through it; access reads it
// as its AccountDirectory. Must stay true: memory shows a write only once its ref has moved, and the caller is
// answered only after that; writes of another process show within a second, by watching the ref's file.

import { randomBytes } from 'node:crypto';
import type { Clock, Timer } from '#kernel/clock.ts';
import { withSignal, type Context } from '#kernel/context.ts';
import { ForgeError, isForgeError } from '#kernel/forge-error.ts';
import type { Log } from '#kernel/log.ts';
import type {
  AccountDirectory,
  AccountSnapshot,
  KeyMatch,
  TokenMatch,
} from '#access/account-directory.ts';
import { hashPassword, passwordProblem } from '#access/password.ts';
import type { PasswordSlots } from '#access/password-slots.ts';
import { parseSshKey } from '#access/ssh-key.ts';
import { generateToken, hashToken } from '#access/token.ts';
import * as changes from '#entity/account-changes.ts';
import type { Decide, Outcome } from '#entity/account-changes.ts';
import type { AccountRecord, TokenRecord } from '#entity/account-record.ts';
import { AccountRepository, emptySnapshot, type Loaded } from '#entity/account-repository.ts';
import { AccountTable } from '#entity/account-table.ts';
import {
  type AccountView,
  type KeyView,
  type TokenView,
  viewAccount,
  viewKey,
  viewToken,
} from '#entity/account-view.ts';
import type { RunSystemGit } from '#entity/run-system-git.ts';
import { createSerialQueue } from '#entity/serial-queue.ts';

const watchEveryMs = 250;
const maxRaces = 20;

export type CreatedToken = TokenView & { /** Shown once. */ readonly token: string };

export class AccountStore implements AccountDirectory {
  readonly #deps: { clock: Clock; log: Log; slots: PasswordSlots };
  readonly #repository: AccountRepository;
  readonly #queue = createSerialQueue();
  readonly #closing = new AbortController();
  readonly #listeners = new Set<() => void>();
  #loaded: Loaded = { snapshot: emptySnapshot, records: new Map(), unreadable: new Map() };
  #table = new AccountTable();
  #version = 0;
  #signature = '';
  #timer: Timer | undefined;

  /** @param git runs git on `gitDir`, by createRunSystemGit. */
  constructor(
    deps: { gitDir: string; git: RunSystemGit } & {
      clock: Clock;
      log: Log;
      slots: PasswordSlots;
    },
  ) {
    this.#deps = deps;
    this.#repository = new AccountRepository(deps.gitDir, deps.git);
  }

  /** Makes the repository if needed, reads it, and begins to watch it. */
  async start(ctx: Context): Promise<void> {
    await this.#repository.open(ctx);
    this.#signature = await this.#repository.refSignature();
    await this.#reload(ctx);
    this.#watchLater();
  }

  /** Waits for the writes that were asked for, then stops watching. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#queue.idle();
    this.#closing.abort(new ForgeError('SHUTTING_DOWN'));
  }

  // AccountDirectory

  findByTokenHash(hash: string): TokenMatch | undefined {
    const found = this.#table.findToken(hash);
    if (found === undefined) return undefined;
    const { record, token } = found;
    return {
      account: snapshotOf(record),
      tokenId: token.id,
      hash: token.hash,
      readOnly: token.readOnly,
      expiresAtMs: token.expiresAt === undefined ? undefined : Date.parse(token.expiresAt),
    };
  }

  findByKeyFingerprint(fingerprint: string): KeyMatch | undefined {
    const found = this.#table.findKey(fingerprint);
    return found && { account: snapshotOf(found.record), keyId: found.key.id };
  }

  findByName(name: string): AccountSnapshot | undefined {
    const record = this.#table.get(name);
    return record && snapshotOf(record);
  }

  findPasswordHash(name: string): string | undefined {
    return this.#table.get(name)?.passwordHash;
  }

  version(): number {
    return this.#version;
  }

  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  // Reads

  /** True when there is no account at all. */
  isEmpty(): boolean {
    return this.#table.isEmpty();
  }

  /** Sorted by name. */
  listAccounts(): readonly AccountView[] {
    return this.#table.all().map(viewAccount);
  }

  getAccount(name: string): AccountView | undefined {
    const record = this.#table.get(name);
    return record && viewAccount(record);
  }

  /** In the order they were made; undefined without such an account. */
  listTokens(name: string): readonly TokenView[] | undefined {
    return this.#table.get(name)?.tokens.map(viewToken);
  }

  listKeys(name: string): readonly KeyView[] | undefined {
    return this.#table.get(name)?.keys.map(viewKey);
  }

  // Writes. `by` is the account that asks, for the history.

  async addAccount(
    ctx: Context,
    by: string,
    wanted: { name: string; operator?: boolean; groups?: readonly string[]; password?: string },
  ): Promise<Outcome<AccountView>> {
    const { password, ...rest } = wanted;
    const hashed = await this.#hash(ctx, password);
    if (hashed.kind === 'refused') return hashed;
    const account = { ...rest, ...(hashed.value !== undefined && { passwordHash: hashed.value }) };
    return this.#change(ctx, by, changes.addAccount(account, this.#now()));
  }

  /** The first account of a data directory, with a token made before it (first-account.ts). */
  addFirstAccount(ctx: Context, name: string, token: string): Promise<Outcome<AccountView>> {
    const tokens = [this.#tokenRecord(token, { name: 'first start' })];
    const add = changes.addAccount({ name, operator: true, tokens }, this.#now());
    const onlyIfEmpty: Decide<AccountView> = (table) =>
      table.isEmpty() ? add(table) : changes.refuse('CONFLICT', 'There are accounts already.');
    return this.#change(ctx, 'warren', onlyIfEmpty);
  }

  async changeAccount(
    ctx: Context,
    by: string,
    name: string,
    patch: { password?: string; disabled?: boolean; groups?: readonly string[] },
  ): Promise<Outcome<AccountView>> {
    const { password, disabled, groups } = patch;
    const hashed = await this.#hash(ctx, password);
    if (hashed.kind === 'refused') return hashed;
    const change = { disabled, groups, passwordHash: hashed.value };
    return this.#change(ctx, by, changes.changeAccount(name, change));
  }

  async createToken(
    ctx: Context,
    by: string,
    account: string,
    wanted: { name: string; readOnly?: boolean; expiresAt?: Date },
  ): Promise<Outcome<CreatedToken>> {
    const token = generateToken(randomBytes);
    const record = this.#tokenRecord(token, wanted);
    const outcome = await this.#change(ctx, by, changes.addToken(account, record));
    return outcome.kind === 'done' ? { kind: 'done', value: { ...outcome.value, token } } : outcome;
  }

  revokeToken(ctx: Context, by: string, account: string, id: string): Promise<Outcome<TokenView>> {
    return this.#change(ctx, by, changes.removeToken(account, id));
  }

  /** @param wanted.line as in the .pub file; without a title its comment is taken. */
  async addKey(
    ctx: Context,
    by: string,
    account: string,
    wanted: { line: string; title?: string },
  ): Promise<Outcome<KeyView>> {
    const parsed = parseSshKey(wanted.line);
    if (parsed.kind === 'bad') return changes.refuse('INVALID', parsed.sentence);
    const title = (wanted.title ?? parsed.key.comment.slice(0, 100)) || parsed.key.type;
    const own = { id: newId(), title, createdAt: this.#now() };
    return this.#change(ctx, by, changes.addKey(account, parsed.key, own));
  }

  removeKey(ctx: Context, by: string, account: string, id: string): Promise<Outcome<KeyView>> {
    return this.#change(ctx, by, changes.removeKey(account, id));
  }

  // How a write goes: decide on what memory has, commit on top of the commit memory is at, and only then show it.

  #change<T>(ctx: Context, by: string, decide: Decide<T>): Promise<Outcome<T>> {
    const own = this.#ownContext(ctx);
    return this.#queue.run(ctx, async () => {
      for (let race = 0; race < maxRaces; race++) {
        const change = decide(this.#table);
        if (change.kind === 'refused') return change;
        if (change.kind === 'unchanged') return { kind: 'done', value: change.value };
        const { record, why, value } = change;
        const about = { by, why };
        const commit = await this.#repository.commit(own, this.#loaded.snapshot, record, about);
        if (commit.kind === 'committed') {
          const records = new Map(this.#loaded.records).set(record.name, record);
          this.#loaded = { ...this.#loaded, snapshot: commit.snapshot, records };
          this.#table.put(record);
          this.#announce();
          return { kind: 'done', value };
        }
        await this.#reload(own);
      }
      throw new ForgeError('REF_CONFLICT', { repository: 'system/accounts.git', races: maxRaces });
    });
  }

  /** Under the store's own signal: a client that goes away must not stop git between two steps. */
  #ownContext(ctx: Context): Context {
    return withSignal(ctx, this.#closing.signal);
  }

  async #reload(ctx: Context): Promise<void> {
    const loaded = await this.#repository.load(ctx, this.#loaded);
    if (loaded === this.#loaded) return;
    for (const [name, sentence] of loaded.unreadable) {
      this.#deps.log.error('an account cannot be read and signs nobody in', { name, sentence });
    }
    this.#loaded = loaded;
    this.#table = new AccountTable(loaded.records.values(), loaded.unreadable.keys());
    this.#announce();
  }

  #announce(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }

  #watchLater(): void {
    this.#timer = this.#deps.clock.after(watchEveryMs, () => void this.#watch());
  }

  async #watch(): Promise<void> {
    const ctx: Context = { signal: this.#closing.signal, log: this.#deps.log };
    try {
      const signature = await this.#repository.refSignature();
      if (signature !== this.#signature) {
        await this.#queue.run(ctx, () => this.#reload(ctx));
        // Kept only after the reload: one that failed is tried again.
        this.#signature = signature;
      }
    } catch (error) {
      if (!isForgeError(error, 'SHUTTING_DOWN')) {
        this.#deps.log.error('the accounts could not be read again', { error });
      }
    }
    if (this.#timer !== undefined) this.#watchLater();
  }

  async #hash(ctx: Context, password: string | undefined): Promise<Outcome<string | undefined>> {
    if (password === undefined) return { kind: 'done', value: undefined };
    const problem = passwordProblem(password);
    if (problem !== undefined)
      return changes.refuse('INVALID', `Not a usable password: ${problem}.`);
    return { kind: 'done', value: await hashPassword(ctx, this.#deps.slots, password) };
  }

  #tokenRecord(
    token: string,
    wanted: { name: string; readOnly?: boolean; expiresAt?: Date },
  ): TokenRecord {
    const { name, readOnly = false, expiresAt } = wanted;
    const base = { id: newId(), name, hash: hashToken(token), readOnly, createdAt: this.#now() };
    return { ...base, ...(expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }) };
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }
}

function snapshotOf({ name, groups, operator, disabled }: AccountRecord): AccountSnapshot {
  return { name, groups, operator, disabled };
}

function newId(): string {
  return randomBytes(8).toString('hex');
}
