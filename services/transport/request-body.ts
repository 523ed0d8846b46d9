// The body of a git POST as a stream of bytes: inflated when it came compressed, bounded after inflation, and readable
// to its end after an answer is decided (a client that is still sending must be read, or it never sees the answer).

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ForgeError } from '#kernel/forge-error.ts';
import { formatBytes } from '#kernel/units.ts';

export type RequestBody = {
  /** One pass over the bytes; throws PAYLOAD_TOO_LARGE past the bound, BAD_REQUEST when broken off or not gzip. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Reads on and drops what comes, up to so many bytes; false when there is more. */
  discard(maxBytes: number): Promise<boolean>;
};

/** Above this much, a body that inflates by more than maxRatio is no request of git but a bomb. */
const ratioFromBytes = 2 ** 20;
const maxRatio = 200;

/**
 * @param onTooLarge counts the refusal and gives the sentence.
 * @throws UNSUPPORTED_MEDIA_TYPE for an encoding other than gzip.
 */
export function openRequestBody(
  request: IncomingMessage,
  bound: { readonly maxBytes: number; readonly onTooLarge: () => string },
): RequestBody {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding)) {
    throw new ForgeError('UNSUPPORTED_MEDIA_TYPE', {
      sentence: 'a body may be sent plain or with Content-Encoding gzip',
    });
  }
  const raw = request.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  const wire = { bytes: 0 };
  const plain = encoding === 'identity' ? countChunks(raw, wire) : inflate(countChunks(raw, wire));
  return {
    chunks: bounded(plain, wire, bound),
    async discard(maxBytes) {
      for (let bytes = 0; bytes <= maxBytes;) {
        const { value, done } = await raw.next();
        if (done === true) return true;
        bytes += (value as Buffer).length; // a request is never in object mode
      }
      return false;
    },
  };
}

/** Iterates by hand: leaving the loop early must not close the source. */
async function* countChunks(
  raw: AsyncIterator<unknown>,
  wire: { bytes: number },
): AsyncGenerator<Buffer> {
  for (;;) {
    let step: IteratorResult<unknown>;
    try {
      step = await raw.next();
    } catch (cause) {
      throw new ForgeError('BAD_REQUEST', { sentence: 'the request body broke off' }, { cause });
    }
    if (step.done === true) return;
    const chunk = step.value as Buffer; // as above
    wire.bytes += chunk.length;
    yield chunk;
  }
}

async function* inflate(compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = Readable.from(compressed, { objectMode: false });
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk;
  } catch (cause) {
    if (source.errored !== null) throw source.errored;
    throw new ForgeError('BAD_REQUEST', { sentence: 'the body is not valid gzip' }, { cause });
  } finally {
    source.destroy();
  }
}

async function* bounded(
  chunks: AsyncIterable<Buffer>,
  wire: { readonly bytes: number },
  { maxBytes, onTooLarge }: { readonly maxBytes: number; readonly onTooLarge: () => string },
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes || (bytes > ratioFromBytes && bytes > wire.bytes * maxRatio)) {
      throw new ForgeError('PAYLOAD_TOO_LARGE', { sentence: onTooLarge() });
    }
    yield chunk;
  }
}

/** The sentence of a body over its bound. */
export function tooLargeSentence(maxBytes: number, limit: string): string {
  return `a request body has at most ${formatBytes(maxBytes)} after inflation (${limit})`;
}
