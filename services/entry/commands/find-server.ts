// Which server a command talks to, and as whom. Called once a command, before its first request.
// Must stay true: the admin token of a data directory is sent to the server of that directory only, never to an
// address that someone typed.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isTokenShaped } from '#access/token.ts';
import { type Environment, readConfig } from '#kernel/config.ts';
import { errnoOf, ForgeError } from '#kernel/forge-error.ts';
import { clientToken, clientUrl, dataDir } from '#kernel/settings.ts';

export type ServerAddress = {
  readonly url: URL;
  /** Undefined: anonymous. */
  readonly token: string | undefined;
  /** It runs on the data directory of this machine: paths mean the same to it. */
  readonly isLocal: boolean;
  /** The folder it was found by, as the person knows it; undefined when its address was given. */
  readonly foundIn: string | undefined;
};

export type ServerWish = {
  readonly env: Environment;
  readonly cwd: string;
  readonly url: string | undefined;
  readonly token: string | undefined;
};

/** How to start one, for whoever has none. */
export const startHint =
  'Start one with "npm start" (or "warren serve"), or name one with --url or WARREN_URL.';

/** @throws SERVER_UNREACHABLE when none is named and none runs; CONFIG_INVALID for a setting that does not parse. */
export async function findServer(wish: ServerWish): Promise<ServerAddress> {
  // Only these: a command does not fail for a setting of a server that is somewhere else.
  const { WARREN_DATA_DIR, WARREN_URL, WARREN_TOKEN } = wish.env;
  const env = {
    WARREN_DATA_DIR,
    WARREN_URL: wish.url === undefined ? WARREN_URL : '',
    WARREN_TOKEN,
  };
  const config = readConfig(env, [dataDir, clientUrl, clientToken]);
  const folder = config.get(dataDir) ?? './data';
  const path = resolve(wish.cwd, folder);
  const given = wish.url === undefined ? config.get(clientUrl) : readUrl(wish.url);
  const running = await readRunning(path, folder, given !== undefined);
  const url = given ?? running;
  if (url === undefined) {
    throw new ForgeError('SERVER_UNREACHABLE', {
      sentence: `No server runs on the data directory ${folder}. ${startHint}`,
    });
  }
  const isLocal = running?.origin === url.origin;
  const token =
    readToken(wish.token ?? config.get(clientToken)) ??
    (isLocal ? await readAdminToken(path) : undefined);
  return { url, token, isLocal, foundIn: given === undefined ? folder : undefined };
}

function readUrl(text: string): URL {
  const parsed = clientUrl.parse(text);
  if (parsed.ok && parsed.value !== undefined) return parsed.value;
  const sentence = `--url takes an http or https address without a path, not "${text}".`;
  throw new ForgeError('CONFIG_INVALID', { problems: [sentence], sentence });
}

/** @throws CONFIG_INVALID, which does not repeat what may be a password. */
function readToken(given: string | undefined): string | undefined {
  const token = given?.trim();
  if (token === undefined || isTokenShaped(token)) return token;
  const sentence = 'What was given as a token is none: it is "wrn_" and 40 letters and digits.';
  throw new ForgeError('CONFIG_INVALID', { problems: [sentence], sentence });
}

/** The address in server.json, which the server writes when it is ready and removes when it ends. */
async function readRunning(
  path: string,
  folder: string,
  isOptional: boolean,
): Promise<URL | undefined> {
  try {
    const { http } = JSON.parse(await readFile(join(path, 'server.json'), 'utf8')) as {
      http?: unknown; // Whatever the file holds: checked just below.
    };
    return typeof http === 'string' && URL.canParse(http) ? new URL(http) : undefined;
  } catch (error) {
    const errno = errnoOf(error);
    if (isOptional || errno === 'ENOENT' || errno === 'ENOTDIR' || errno === undefined) {
      return undefined;
    }
    const why = errno === 'EACCES' ? 'it belongs to another user' : errno;
    const sentence = `${join(folder, 'server.json')} cannot be read: ${why}. Name the server with --url or WARREN_URL, and a token with WARREN_TOKEN.`;
    throw new ForgeError('SERVER_UNREACHABLE', { sentence });
  }
}

async function readAdminToken(path: string): Promise<string | undefined> {
  try {
    const token = (await readFile(join(path, 'admin-token'), 'utf8')).trim();
    return isTokenShaped(token) ? token : undefined;
  } catch {
    return undefined; // Deleted on purpose, perhaps: then the server says what it takes to sign in.
  }
}
