// Takes one HTTP/1.1 response apart, for raw-http.ts. Pure.

export type RawResponse = {
  readonly status: number;
  readonly reason: string;
  /** Lower-case names; repeated headers joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Statuses of the 1xx answers that came before. */
  readonly interim: readonly number[];
  /** False when the connection ended before the body did. */
  readonly complete: boolean;
};

type Ending = { readonly method: string; readonly over: boolean };
type Body = { readonly body: Buffer; readonly length: number; readonly complete: boolean };

/** The response and the bytes it took; undefined while it is not all there and more may come. */
export function parseRawResponse(bytes: Buffer, ending: Ending): [RawResponse, number] | undefined {
  const interim: number[] = [];
  let start = 0;
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', start);
    if (headEnd === -1) {
      if (!ending.over) return undefined;
      throw new Error(`the connection ended without a response: ${preview(bytes)}`);
    }
    const head = parseHead(bytes.toString('latin1', start, headEnd));
    start = headEnd + 4;
    if (head.status >= 100 && head.status < 200) {
      interim.push(head.status);
      continue;
    }
    const found = parseBody(bytes.subarray(start), head, ending);
    if (found === undefined && !ending.over) return undefined;
    const { body, length, complete } = found ?? cutShort(bytes.subarray(start));
    return [{ ...head, body, interim, complete }, start + length];
  }
}

type Head = Pick<RawResponse, 'status' | 'reason' | 'headers'>;

function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n');
  const match = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(first);
  if (match === null) throw new Error(`no status line: ${first}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { status: Number(match[1]), reason: match[2] ?? '', headers };
}

function parseBody(bytes: Buffer, head: Head, { method, over }: Ending): Body | undefined {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) {
    return { body: Buffer.alloc(0), length: 0, complete: true };
  }
  if (head.headers['transfer-encoding'] === 'chunked') return parseChunks(bytes);
  const declared = head.headers['content-length'];
  if (declared === undefined) {
    return over ? { body: bytes, length: bytes.length, complete: true } : undefined;
  }
  const length = Number(declared);
  if (bytes.length < length) return undefined;
  return { body: bytes.subarray(0, length), length, complete: true };
}

function parseChunks(bytes: Buffer): Body | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const start = lineEnd + 2;
    if (size === 0) {
      const end = bytes.indexOf('\r\n', start);
      // Trailers are not used by this server: the blank line must follow at once.
      return end === start
        ? { body: Buffer.concat(chunks), length: end + 2, complete: true }
        : undefined;
    }
    if (!(size > 0) || bytes.length < start + size + 2) return undefined;
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}

function cutShort(bytes: Buffer): Body {
  return { body: bytes, length: bytes.length, complete: false };
}

function preview(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, 200));
}
