// One SSH channel as streams: output that waits for the client's window and for the socket, input that is read once,
// and an end in the order clients expect: output, exit status, end of output, close. Called by ssh-session.

import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { ServerChannel } from 'ssh2';
import { onAbort, raceAbort } from '#kernel/abort.ts';

export type ChannelStreams = {
  readonly output: Writable;
  /** One pass over what the client sends; leaving a loop over it early does not close the channel. */
  readonly input: AsyncIterable<Buffer>;
  /** For the client's stderr; only before the first byte of output (ssh2 may repeat output otherwise). */
  say(sentence: string): Promise<void>;
  /** Sends exit status and end of output after all output; resolves when the kernel has the bytes, or on abort. */
  finish(exitCode: number, signal: AbortSignal): Promise<void>;
  /** Reads and drops what the client still sends, up to its end or the bounds. */
  discard(bound: { readonly maxBytes: number; readonly timeoutMs: number }): Promise<void>;
  close(): void;
  /** The client or the connection is gone: nothing waits any longer. */
  abandon(): void;
};

/** ssh2 grants 2 MiB of window, but takes what comes without: who sends twice that without leave is cut off. */
const maxUnreadBytes = 4 * 2 ** 20;
/** A refusal that the client does not read is not waited for longer. */
const sayTimeoutMs = 10_000;

export function openChannel(channel: ServerChannel, socket: Socket): ChannelStreams {
  // ssh2 itself minds only the window, which the client chooses: 4 GiB of it must not become our memory.
  const output = new Writable({
    highWaterMark: 128 * 2 ** 10,
    write(chunk: Buffer, _encoding, done) {
      channel.write(chunk, () => whenWritable(socket, done));
    },
  });
  output.on('error', () => {}); // The channel is gone; its close tells.
  channel.on('error', () => {});
  const guard = () => {
    if (channel.readableLength > maxUnreadBytes) socket.destroy();
  };
  socket.on('data', guard);
  const chunks = channel.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  return {
    output,
    input: { [Symbol.asyncIterator]: () => readByHand(chunks) },
    say: (sentence) => say(channel, sentence),
    async finish(exitCode, signal) {
      using _ = onAbort(signal, () => output.destroy());
      await ended(output);
      channel.exit(exitCode);
      channel.eof();
      await raceAbort(flushed(socket), signal).catch(() => {});
    },
    discard: (bound) => discard(chunks, bound),
    close() {
      socket.off('data', guard);
      channel.close();
    },
    abandon: () => output.destroy(),
  };
}

function say(channel: ServerChannel, sentence: string): Promise<void> {
  const text = sentence.replace(/\n$/, '').replace(/^/gm, 'remote: ');
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, sayTimeoutMs);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    channel.once('close', settle);
    channel.stderr.write(`${text}\n`, settle);
  });
}

function whenWritable(socket: Socket, done: () => void): void {
  if (!socket.writableNeedDrain) {
    done();
    return;
  }
  const settle = () => {
    socket.off('drain', settle);
    socket.off('close', settle);
    done();
  };
  socket.on('drain', settle);
  socket.on('close', settle);
}

function ended(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed) resolve();
    output.once('close', resolve);
    output.end();
  });
}

function flushed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.write('', () => resolve());
  });
}

/** By hand, so that whoever leaves early leaves the rest to discard(). */
async function* readByHand(chunks: AsyncIterator<unknown>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await chunks.next();
    if (done === true) return;
    yield value as Buffer; // a channel is never in object mode
  }
}

async function discard(
  chunks: AsyncIterator<unknown>,
  { maxBytes, timeoutMs }: { readonly maxBytes: number; readonly timeoutMs: number },
): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), timeoutMs);
  try {
    for (let bytes = 0; bytes <= maxBytes;) {
      const step = await Promise.race([chunks.next(), late]);
      if (step === 'late' || step.done === true) return;
      bytes += (step.value as Buffer).length; // as above
    }
  } finally {
    clearTimeout(timer);
  }
}
