// What commands read: files, folders of manifests, standard input, and secrets typed without an echo.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { onAbort } from '#kernel/abort.ts';
import { errnoOf, ForgeError, isForgeError, messageOf } from '#kernel/forge-error.ts';
import type { CommandIo } from '#entry/commands/command.ts';

export type InputFile = { readonly name: string; readonly text: string };

const maxBytes = 16 * 2 ** 20;

/** @param name a path, or `-` for standard input. @throws FILE_UNREADABLE */
export async function readInput(io: CommandIo, name: string): Promise<InputFile> {
  if (name === '-') return { name: 'stdin', text: decode('stdin', await readStdin(io)) };
  try {
    return { name, text: decode(name, await readFile(resolve(io.cwd, name))) };
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

/** The file, or the manifests in the folder, in the order of their names. @throws FILE_UNREADABLE */
export async function readManifestFiles(io: CommandIo, name: string): Promise<InputFile[]> {
  if (name === '-') return [await readInput(io, name)];
  const path = resolve(io.cwd, name);
  try {
    if (!(await stat(path)).isDirectory()) return [await readInput(io, name)];
    const names = (await readdir(path)).filter(isManifestName).sort();
    if (names.length === 0) {
      const sentence = `${name} holds no .yaml, .yml or .json file.`;
      throw new ForgeError('FILE_UNREADABLE', { sentence });
    }
    return await Promise.all(names.map((entry) => readInput(io, join(name, entry))));
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

function isManifestName(name: string): boolean {
  return /\.(ya?ml|json)$/.test(name) && !name.startsWith('.');
}

export type PasswordReading = { readonly password: string } | { readonly problem: string };

/** A password from standard input, or asked for twice on a terminal. */
export async function readPassword(io: CommandIo, fromStdin: boolean): Promise<PasswordReading> {
  if (fromStdin) {
    const text = decode('stdin', await readStdin(io)).replace(/\r?\n$/, '');
    return text === '' ? { problem: 'Standard input holds no password.' } : { password: text };
  }
  if (io.stdin.isTTY !== true) {
    return { problem: 'Give the password on standard input, with --password-stdin.' };
  }
  const password = await askHidden(io, 'New password: ');
  const again = await askHidden(io, 'Once more: ');
  return password === again ? { password } : { problem: 'The two are not the same.' };
}

async function readStdin(io: CommandIo): Promise<Buffer> {
  using _aborting = onAbort(io.signal, () => io.stdin.destroy(new ForgeError('CANCELLED')));
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of io.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new ForgeError('FILE_UNREADABLE', {
        sentence: 'Standard input is larger than 16 MiB.',
      });
    }
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

function decode(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ForgeError('FILE_UNREADABLE', { sentence: `${name} is not UTF-8.` }, { cause });
  }
}

/** One line of the terminal; what is typed is not shown. */
function askHidden(io: CommandIo, question: string): Promise<string> {
  io.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, callback) => callback() });
  const lines = createInterface({ input: io.stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    let answer: string | undefined;
    lines.once('line', (line) => {
      answer = line;
      lines.close();
    });
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      io.stderr.write('\n');
      if (answer === undefined) reject(new ForgeError('CANCELLED'));
      else resolve(answer);
    });
  });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
};

function unreadable(name: string, cause: unknown): Error {
  // Ours say what they are about already.
  if (isForgeError(cause)) return cause;
  const errno = errnoOf(cause) ?? messageOf(cause);
  const sentence = `${name} cannot be read: ${reasons[errno] ?? errno}.`;
  return new ForgeError('FILE_UNREADABLE', { sentence }, { cause });
}
