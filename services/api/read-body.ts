// Reads a request's body: content type, at most 1 MiB after inflation, UTF-8, JSON. Called by create-api.ts once the caller is
// known and allowed. JSON and YAML are no types a form can send, so no foreign page reaches a change with them.

import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { Route } from '#api/api-route.ts';
import { buildProblem, type Problem } from '#api/problem.ts';

export type ReadBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

const maxBytes = 2 ** 20;
const readRaw = express.raw({ type: () => true, limit: maxBytes, inflate: true });
const mediaTypes = {
  json: { pattern: /^application\/([\w.-]+\+)?json$/, name: 'application/json' },
  yaml: { pattern: /^(text|application)\/(x-)?yaml$/, name: 'text/yaml' },
};

/** @throws what the body parser throws; problem.ts knows it. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  expected: NonNullable<Route['body']>,
): Promise<ReadBody> {
  const { pattern, name } = mediaTypes[expected.type];
  const [mediaType = '', ...parameters] = (request.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!pattern.test(mediaType)) return refuse('UNSUPPORTED_MEDIA_TYPE', `Send ${name}.`);
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'Send UTF-8.');
  }
  const bytes = await readBytes(request, response);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('BAD_REQUEST', 'The body is not UTF-8.');
  }
  return expected.type === 'yaml' ? { ok: true, value: text } : parseJson(text);
}

function readBytes(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const holder: IncomingMessage & { body?: unknown } = request;
  return new Promise((resolve, reject) => {
    readRaw(request, response, (error?: unknown) => {
      if (error === undefined)
        resolve(Buffer.isBuffer(holder.body) ? holder.body : Buffer.alloc(0));
      else reject(error instanceof Error ? error : new Error('reading the body failed'));
    });
  });
}

function parseJson(text: string): ReadBody {
  if (text.trim() === '') return refuse('BAD_REQUEST', 'The body is empty; send a JSON object.');
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    // Only the position: the rest of the message quotes the body, which may hold a password.
    const place = / \(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '');
    return refuse('BAD_REQUEST', `The body is not valid JSON${place?.[0] ?? ''}.`);
  }
}

function refuse(code: 'BAD_REQUEST' | 'UNSUPPORTED_MEDIA_TYPE', detail: string): ReadBody {
  return { ok: false, problem: buildProblem(code, detail) };
}
