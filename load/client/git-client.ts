// One real git client: `git clone --bare`, `ls-remote` or an up-to-date `fetch`, each a process. Used by the generator.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { addressOfClient, type LoadJob } from '#load/client/load-job.ts';
import type { Outcome } from '#load/client/outcome.ts';
import { plainGitEnvironment } from '#load/fixtures/fixture-git.ts';

export class GitClient {
  readonly #job: LoadJob;
  readonly #dir: string;
  readonly #options: readonly string[];
  #cloned = false;

  constructor(job: LoadJob, client: number) {
    this.#job = job;
    this.#dir = join(job.scratchDir, `client-${client}.git`);
    this.#options = job.ownAddresses
      ? ['-c', `http.extraHeader=X-Forwarded-For: ${addressOfClient(client)}`]
      : [];
  }

  /** One operation; what git says on stderr is the reason when it fails. */
  async run(): Promise<Outcome> {
    if (this.#job.operation === 'git-fetch' && !this.#cloned) {
      const failed = await this.#git(this.#cloneArgs());
      if (failed !== undefined) return { kind: 'failed', reason: failed };
      this.#cloned = true;
    }
    const startedAt = performance.now();
    const failed = await this.#git(this.#args());
    const durationMs = performance.now() - startedAt;
    if (this.#job.operation === 'git-clone') await this.close();
    return failed === undefined
      ? { kind: 'ok', durationMs, packBytes: 0 }
      : { kind: 'failed', reason: failed };
  }

  async close(): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }

  #cloneArgs(): string[] {
    const depth = this.#job.depth === undefined ? [] : [`--depth=${this.#job.depth}`];
    return ['clone', '--quiet', '--bare', '--template=', ...depth, this.#job.url, this.#dir];
  }

  #args(): string[] {
    if (this.#job.operation === 'git-list') return ['ls-remote', '--quiet', this.#job.url];
    if (this.#job.operation === 'git-clone') return this.#cloneArgs();
    return [
      `--git-dir=${this.#dir}`,
      'fetch',
      '--quiet',
      this.#job.url,
      '+refs/heads/*:refs/heads/*',
    ];
  }

  /** Runs git; undefined when it exits with 0, else its own words. */
  async #git(args: readonly string[]): Promise<string | undefined> {
    const child = spawn('git', [...this.#options, '-c', 'gc.auto=0', ...args], {
      env: plainGitEnvironment(this.#job.scratchDir),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr, [code]] = await Promise.all([
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    return code === 0 ? undefined : `git ${args[0]} exited with ${code}: ${stderr.trim()}`;
  }
}
