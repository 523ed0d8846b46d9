// What this git can do on the wire, as it advertises itself: asked once for each object format, then from memory.

import type { Context } from '#kernel/context.ts';
import type { ObjectFormat } from '#model/oid.ts';
import type { GitRunner } from '#git/git-runner.ts';
import { PacketReader } from '#git/packet-reader.ts';
import { encodePacket, flushPacket } from '#git/pkt-line.ts';

export class Capabilities {
  readonly #git: GitRunner;
  readonly #v2 = new Map<ObjectFormat, Promise<Buffer>>();
  readonly #push = new Map<ObjectFormat, Promise<string>>();

  constructor(git: GitRunner) {
    this.#git = git;
  }

  /** The protocol v2 capability advertisement, without service header. */
  async v2(ctx: Context, gitDir: string, format: ObjectFormat): Promise<Buffer> {
    return remember(this.#v2, format, async () => {
      const packets = await this.#advertised(ctx, gitDir, 'upload-pack', 'version=2');
      const kept = packets.filter((line) => isServed(line.toString('utf8').trim()));
      return Buffer.concat([...kept.map((line) => encodePacket(line)), flushPacket]);
    });
  }

  /** The capability list of receive-pack (what follows the NUL). */
  async push(ctx: Context, gitDir: string, format: ObjectFormat): Promise<string> {
    return remember(this.#push, format, async () => {
      const [first] = await this.#advertised(ctx, gitDir, 'receive-pack', undefined);
      return first?.toString('utf8').split('\0')[1]?.trim() ?? '';
    });
  }

  async #advertised(
    ctx: Context,
    gitDir: string,
    service: 'upload-pack' | 'receive-pack',
    protocol: string | undefined,
  ): Promise<readonly Buffer[]> {
    const output = await this.#git.read(ctx, {
      args: [service, '--http-backend-info-refs', gitDir],
      cwd: gitDir,
      label: service,
      ...(protocol === undefined ? {} : { env: { GIT_PROTOCOL: protocol } }),
    });
    return collectPackets(Buffer.from(output));
  }
}

/** object-info is an unbounded listing before git 2.45, and no client needs it. */
function isServed(line: string): boolean {
  return !line.startsWith('object-info') && !line.startsWith('bundle-uri');
}

async function collectPackets(output: Buffer): Promise<readonly Buffer[]> {
  const once = async function* () {
    yield output;
  };
  const reader = new PacketReader(once());
  const packets: Buffer[] = [];
  for (;;) {
    const packet = await reader.next();
    if (packet === undefined || packet.kind === 'flush') return packets;
    if (packet.kind === 'data') packets.push(packet.payload);
  }
}

/** One computation for all who ask at once; a failure is not remembered. */
function remember<K, V>(map: Map<K, Promise<V>>, key: K, compute: () => Promise<V>): Promise<V> {
  const known = map.get(key);
  if (known !== undefined) return known;
  const computed = compute();
  map.set(key, computed);
  computed.catch(() => map.delete(key));
  return computed;
}
