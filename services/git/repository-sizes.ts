// How much disk each repository takes, near enough for a quota, without walking it on every push.

import type { Log } from '#kernel/log.ts';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { orIfAbsent } from '#kernel/or-if-absent.ts';

type Known = { bytes: number; measuredAtMs: number; measuring: boolean };

const measureAgainMs = 60_000;

export class RepositorySizes {
  readonly #log: Log;
  readonly #known = new Map<string, Known>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The measured size plus what was added since; measured at first use, and anew in the background after a minute. */
  async estimate(gitDir: string): Promise<number> {
    const known = this.#known.get(gitDir);
    if (known === undefined) {
      const bytes = await directoryBytes(gitDir);
      this.#known.set(gitDir, { bytes, measuredAtMs: performance.now(), measuring: false });
      return bytes;
    }
    if (!known.measuring && performance.now() - known.measuredAtMs > measureAgainMs) {
      known.measuring = true;
      void this.#measure(gitDir, known);
    }
    return known.bytes;
  }

  /** A push has brought so many bytes. */
  add(gitDir: string, bytes: number): void {
    const known = this.#known.get(gitDir);
    if (known !== undefined) known.bytes += bytes;
  }

  async #measure(gitDir: string, known: Known): Promise<void> {
    try {
      known.bytes = await directoryBytes(gitDir);
      known.measuredAtMs = performance.now();
    } catch (error) {
      this.#log.warn('a repository could not be measured', { gitDir, error });
    } finally {
      known.measuring = false;
    }
  }
}

/** Bytes of the regular files below a directory; files that vanish meanwhile do not count. */
async function directoryBytes(path: string): Promise<number> {
  let bytes = 0;
  for (const entry of await orIfAbsent(readdir(path, { withFileTypes: true }), [])) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) bytes += await directoryBytes(child);
    else if (entry.isFile()) bytes += (await orIfAbsent(stat(child), undefined))?.size ?? 0;
  }
  return bytes;
}
