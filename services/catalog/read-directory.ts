// The thin reader of the catalog directory: which manifest files there are, a mark that changes with each, their text.
// Files are stat'ed through links, so that a ConfigMap's `..data` swap shows as a change of every file.

import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, messageOf } from '#kernel/forge-error.ts';
import { formatBytes } from '#kernel/units.ts';
import type { FileReading } from '#catalog/catalog-memory.ts';

const maxFileBytes = 4 * 2 ** 20;
const maxFiles = 10_000;

export type Listing =
  | {
      readonly kind: 'listed';
      /** Tells one directory from another of the same name. */
      readonly identity: string;
      /** A mark of each file's content, or undefined when it may change again without showing. */
      readonly files: ReadonlyMap<string, string | undefined>;
      /** How many files were left out. */
      readonly leftOut: number;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly sentence: string };

/** The manifest files of the directory, by name. */
export async function listManifests(directory: string): Promise<Listing> {
  try {
    const own = await stat(directory);
    const names = (await readdir(directory))
      .filter((name) => /\.(ya?ml|json)$/.test(name) && !name.startsWith('.'))
      .toSorted();
    const files = new Map<string, string | undefined>();
    for (let at = 0; at < Math.min(names.length, maxFiles); at += 64) {
      const batch = names.slice(at, Math.min(at + 64, maxFiles));
      const marks = await Promise.all(batch.map((name) => markOf(join(directory, name))));
      batch.forEach((name, index) => {
        const mark = marks[index];
        if (mark !== 'gone') files.set(name, mark);
      });
    }
    const identity = `${own.dev}:${own.ino}`;
    return { kind: 'listed', identity, files, leftOut: Math.max(0, names.length - maxFiles) };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { kind: 'absent' };
    return {
      kind: 'unreadable',
      sentence: `the catalog directory cannot be read: ${messageOf(error)}`,
    };
  }
}

/** A change within this time of the last one may leave every time stamp as it was. */
const stampGranularityMs = 50;

async function markOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = await stat(path, { bigint: true });
    if (Math.abs(Date.now() - Number(ctimeMs)) < stampGranularityMs) return undefined;
    return [dev, ino, size, mtimeNs, ctimeNs].join(':');
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'gone' : `unreadable ${errnoOf(error)}`;
  }
}

/** The text of one file, or why it cannot be used. Never reads more than the limit. */
export async function readManifest(directory: string, name: string): Promise<FileReading> {
  try {
    const path = join(directory, name);
    // Opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile())
      return { kind: 'refused', sentence: 'this is no regular file' };
    const bytes = await readBounded(path, maxFileBytes + 1);
    if (bytes.length <= maxFileBytes) return decode(bytes);
    const sentence = `a manifest file has at most ${formatBytes(maxFileBytes)}`;
    return { kind: 'refused', sentence };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { kind: 'gone' };
    return { kind: 'refused', sentence: `the file cannot be read: ${messageOf(error)}` };
  }
}

async function readBounded(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(Math.min((await handle.stat()).size + 1, maxBytes));
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

function decode(bytes: Uint8Array): FileReading {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'refused', sentence: 'the file is not UTF-8 text' };
  }
}
