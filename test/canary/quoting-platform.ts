import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations } from '../../src/api/resources/index.js';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start.js';
import { sample } from '../api/sample-value.js';
import { quoteOf } from './leaks.js';

/** What the platform does besides quoting the headers of each request in its answer; silent: a sample with a word in their place. */
export type Mode = 'refuse' | 'sample' | 'sandbox' | 'silent';

export interface QuotingPlatform {
  readonly url: string;
  readonly sandbox: RunningSandbox;
  mode: Mode;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: unknown;
}

const texts = new Set(['title', 'description', 'name', 'displayName', 'markdown', 'message', 'text']);

export async function startQuotingPlatform(): Promise<QuotingPlatform> {
  const io = { now: Date.now, sleep: async () => {} };
  const sandbox = await startSandbox({ file: ':memory:', seed: 'tiny', io });
  const platform = { mode: 'refuse' as Mode };
  const server = createServer((request, response) => {
    const { mode } = platform;
    void answerOf(mode, request, sandbox).then((answer) =>
      give(request, response, answer, mode !== 'silent'),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return Object.assign(platform, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sandbox,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await sandbox.close();
    },
  });
}

async function answerOf(mode: Mode, request: IncomingMessage, sandbox: RunningSandbox): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const quote = mode === 'silent' ? 'quoted' : quoteOf(request.headers);
  if (mode === 'refuse') return { status: 400, body: { error: { code: 400, message: quote } } };
  const answer =
    mode === 'sandbox' ? await passOn(request, Buffer.concat(chunks), sandbox) : sampleFor(request);
  return { status: answer.status, body: withQuote(answer.body, quote) };
}

async function passOn(
  request: IncomingMessage,
  body: Buffer,
  { url, token }: RunningSandbox,
): Promise<Answer> {
  const { method = 'GET', headers } = request;
  const passed = await fetch(url + (request.url ?? ''), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': headers['content-type'] ?? 'text/plain' },
    ...(body.length > 0 && { body }),
  });
  const text = await passed.text();
  const isJson = passed.headers.get('content-type')?.includes('json') === true;
  return { status: passed.status, body: isJson ? JSON.parse(text) : Buffer.from(text) };
}

/** What the declaration of the operation says, made up. */
function sampleFor({ method, url = '' }: IncomingMessage): Answer {
  const parts = (url.split('?')[0] ?? '').split('/');
  const op = operations.find((each) => {
    const wanted = each.path.split('/');
    const fits = (part: string, at: number) => part.startsWith('{') || part === parts[at];
    return each.method === method && wanted.length === parts.length && wanted.every(fits);
  });
  if (op === undefined) return { status: 404, body: { error: { code: 404, message: 'Not found.' } } };
  const status = [op.success].flat()[0] ?? 200;
  if (op.returns.kind === 'none') return { status: 204, body: undefined };
  const { returns } = op;
  return {
    status,
    body: returns.kind === 'page' ? { items: [sample(returns.item)] } : sample(returns.schema),
  };
}

/** How many items of a list repeat the headers. */
const quotedItems = 2;

/** Repeats the headers in every object, in its own texts and as a key. */
function withQuote(value: unknown, quote: string): unknown {
  // Enough for every kind of list, and lists of hundreds stay small.
  if (Array.isArray(value))
    return value.map((item, at) => (at < quotedItems ? withQuote(item, quote) : item));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    typeof member === 'string' && texts.has(key) ? `${member} ${quote}` : withQuote(member, quote),
  ]);
  return { ...Object.fromEntries(members), echo: quote, [`echo of ${quote.slice(0, 200)}`]: [quote] };
}

function give(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { status, body }: Answer,
  quotes: boolean,
): void {
  const quoted = quotes
    ? { 'x-request-id': `req ${headers.authorization}`, 'x-echo': String(headers.authorization) }
    : {};
  if (body instanceof Uint8Array) {
    response.writeHead(status, quoted).end(Buffer.concat([body, Buffer.from(quoteOf(headers))]));
    return;
  }
  response.writeHead(status, { ...quoted, 'content-type': 'application/json' });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
