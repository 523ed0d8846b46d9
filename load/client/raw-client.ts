// One raw v2 client: a keep-alive connection of its own, no git process, every answer checked. Used by the generator.

import { Client, type Dispatcher } from 'undici';
import { FetchReply } from '#load/client/fetch-reply.ts';
import { addressOfClient, type LoadJob } from '#load/client/load-job.ts';
import type { Outcome } from '#load/client/outcome.ts';
import {
  buildFetchRequest,
  checkAdvertisement,
  errorPacketText,
  lsRefsRequest,
  parseListedOids,
} from '#load/client/v2-requests.ts';

export class RawClient {
  readonly #job: LoadJob;
  readonly #path: string;
  readonly #http: Client;
  readonly #headers: Record<string, string>;
  #verified = false;

  constructor(job: LoadJob, client: number) {
    const url = new URL(job.url);
    this.#job = job;
    this.#path = url.pathname;
    this.#http = new Client(url.origin, {
      pipelining: 1,
      bodyTimeout: 120_000,
      headersTimeout: 120_000,
    });
    this.#headers = {
      'git-protocol': 'version=2',
      'user-agent': 'git/warren-bench',
      ...(job.ownAddresses ? { 'x-forwarded-for': addressOfClient(client) } : {}),
    };
  }

  /** One clone or listing from the first byte to the last. Never throws: what goes wrong is an outcome. */
  async run(): Promise<Outcome> {
    const startedAt = performance.now();
    try {
      const refused = await this.#getInfoRefs();
      if (refused) return refused;
      const wants = await this.#listRefs();
      const packBytes = this.#job.operation === 'raw-clone' ? await this.#fetchPack(wants) : 0;
      return { kind: 'ok', durationMs: performance.now() - startedAt, packBytes };
    } catch (error) {
      return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  async close(): Promise<void> {
    await this.#http.destroy();
  }

  async #getInfoRefs(): Promise<Outcome | undefined> {
    const answer = await this.#http.request({
      method: 'GET',
      path: `${this.#path}/info/refs?service=git-upload-pack`,
      headers: this.#headers,
    });
    const body = Buffer.from(await answer.body.arrayBuffer());
    const header = (name: string) => answer.headers[name]?.toString();
    if (answer.statusCode === 429 || answer.statusCode === 503)
      return {
        kind: 'refused',
        refusal: {
          status: answer.statusCode,
          retryAfter: header('retry-after'),
          limit: header('x-warren-limit'),
          cacheControl: header('cache-control'),
          text: body.toString(),
        },
      };
    expectAnswer(answer, 'info/refs', 'application/x-git-upload-pack-advertisement');
    checkAdvertisement(body);
    return undefined;
  }

  async #post(request: string): Promise<Dispatcher.ResponseData> {
    const answer = await this.#http.request({
      method: 'POST',
      path: `${this.#path}/git-upload-pack`,
      headers: {
        ...this.#headers,
        'content-type': 'application/x-git-upload-pack-request',
        accept: 'application/x-git-upload-pack-result',
      },
      body: request,
    });
    expectAnswer(answer, 'POST', 'application/x-git-upload-pack-result');
    return answer;
  }

  async #listRefs(): Promise<string[]> {
    const answer = await this.#post(lsRefsRequest);
    const body = Buffer.from(await answer.body.arrayBuffer());
    const refusal = errorPacketText(body);
    if (refusal !== undefined) throw new Error(`ls-refs: ERR ${refusal}`);
    return parseListedOids(body);
  }

  async #fetchPack(wants: readonly string[]): Promise<number> {
    const answer = await this.#post(buildFetchRequest(wants, this.#job.depth));
    // The checksum of the first pack is proven; the later ones must have as many objects.
    const reply = new FetchReply({ verifyChecksum: !this.#verified });
    for await (const chunk of answer.body as AsyncIterable<Buffer>) reply.push(chunk);
    const { packBytes, objects } = reply.finish();
    if (objects !== this.#job.objects)
      throw new Error(`the pack holds ${objects} objects instead of ${this.#job.objects}`);
    this.#verified = true;
    return packBytes;
  }
}

function expectAnswer(answer: Dispatcher.ResponseData, stage: string, type: string): void {
  const seen = answer.headers['content-type']?.toString();
  if (answer.statusCode === 200 && seen === type) return;
  answer.body.destroy();
  answer.body.on('error', () => undefined);
  throw new Error(`${stage} answered ${answer.statusCode} ${seen ?? ''}`);
}
