import { DocsError } from '../errors.js';
import { isObject } from '../is-object.js';
import { type AnyOperation, type Input, type Result, successStatuses } from './operation.js';
import { encodeSegment } from './transport/path.js';
import type { DownloadOptions, Transport, TransportRequest, TransportResponse } from './transport.js';

/** One page of a list, as the platform sent it. */
export interface Page<T> {
  items: T[];
  /** Items in all pages, if the platform reports it. */
  count?: number;
  /** Cursor of the next page; undefined on the last one. */
  next?: string;
  /** Other members of the envelope, such as `stats`. */
  extra: Record<string, unknown>;
}

/** A list: its items one by one, or page by page. Each iteration sends the requests again. */
export interface Listing<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>;
}

/** What `call` returns: a list for page operations, otherwise a promise of a resource or of nothing. */
export type Answer<Op> = Op extends { returns: { kind: 'page' } } ? Listing<Result<Op>> : Promise<Result<Op>>;

export interface CallOptions {
  signal?: AbortSignal;
  /** Maximum number of items; the last page requests only what is missing. Default: all. */
  most?: number;
  /** The resource in words and the command that shows it, for errors with an unknown outcome. */
  subject?: TransportRequest['subject'];
  /** Called with the response of a call that is not a list, before its shape is checked. */
  onAnswer?(answer: TransportResponse): void;
}

/** The request for an operation and its input, before authentication. */
export interface PreparedRequest {
  method: AnyOperation['method'];
  /** Encoded path and query. */
  path: string;
  body?: unknown;
}

/** An input whose operation is not known to the type checker. */
export interface LooseInput {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/**
 * The platform's API.
 *
 * `call` sends what the declaration says and checks the shape of the response. Errors are
 * `DocsError`s with status, request id and exit code; see `transport.ts`.
 */
export interface Client {
  call<Op extends AnyOperation>(op: Op, input: Input<Op>, options?: CallOptions): Answer<Op>;
  /** Sends any request, as `docs api` does. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** All pages of any list request; `next.page` is only used as its query parameter `page`. */
  pagesOf(request: TransportRequest): AsyncIterable<Page<unknown>>;
  /** Streams the bytes of a URL from the platform; see `Transport.download`. */
  download(url: string, options: DownloadOptions): Promise<AsyncIterable<Uint8Array>>;
  /** The platform's clock in milliseconds, from its last response; undefined before the first. */
  readonly platformNowMs: number | undefined;
  close(): Promise<void>;
}

/** Maximum page size (spec A, "Limits"). */
export const maxPageSize = 1000;

/**
 * @param transport where requests go
 * @param options.pageSize items per page if the input has no `limit`; default 1000
 */
export function createClient(transport: Transport, options: { pageSize?: number } = {}): Client {
  let dateMs: number | undefined;
  const send = async (request: TransportRequest): Promise<TransportResponse> => {
    const response = await transport.send(request);
    dateMs = response.dateMs ?? dateMs;
    return response;
  };
  const pageSize = options.pageSize ?? maxPageSize;
  return {
    call: ((op: AnyOperation, input: LooseInput, callOptions: CallOptions = {}) =>
      op.returns.kind === 'page'
        ? listing(send, op, input, { pageSize, ...callOptions })
        : single(send, op, input, callOptions)) as Client['call'],
    send,
    pagesOf: (request) => walkRequest(send, request),
    download: (url, options) => transport.download(url, options),
    get platformNowMs() {
      return dateMs;
    },
    close: () => transport.close(),
  };
}

/** Builds the request: every path segment encoded, arrays as repeated query keys. */
export function prepare(op: AnyOperation, input: LooseInput): PreparedRequest {
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(input.path?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) query.append(key, String(item));
  }
  const search = query.size === 0 ? '' : `?${query}`;
  return {
    method: op.method,
    path: path + search,
    ...(op.body === undefined ? {} : { body: input.body ?? {} }),
  };
}

type Send = (request: TransportRequest) => Promise<TransportResponse>;

function request(op: AnyOperation, input: LooseInput, options: CallOptions): TransportRequest {
  const prepared = prepare(op, input);
  const sets = op.method === 'PATCH' || op.method === 'PUT';
  return {
    ...prepared,
    // A PUT that creates a new resource each time, such as a team, must not be sent twice.
    ...(op.method === 'PUT' && op.success === 201 && { idempotent: false }),
    ...(sets && op.returns.kind === 'one' && op.success !== 201 && { readBack: prepared.path }),
    expect: successStatuses(op),
    read: op.returns.kind === 'none' ? 'nothing' : 'json',
    ...(options.signal && { signal: options.signal }),
    ...(options.subject && { subject: options.subject }),
  };
}

async function single(
  send: Send,
  op: AnyOperation,
  input: LooseInput,
  options: CallOptions,
): Promise<unknown> {
  const sent = request(op, input, options);
  const response = await send(sent);
  options.onAnswer?.(response);
  if (op.returns.kind === 'none') return undefined;
  const wantsList = (op.returns as { schema: { type?: string } }).schema.type === 'array';
  const fits = wantsList ? Array.isArray(response.body) : isObject(response.body);
  if (!fits) throw badShape(sent, response, wantsList ? 'a list' : 'an object');
  return response.body;
}

function listing(
  send: Send,
  op: AnyOperation,
  input: LooseInput,
  options: CallOptions & { pageSize: number },
): Listing<unknown> {
  const pages = () => walk(send, op, input, options);
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items;
    },
  };
}

/** Gets one page, from the start or a cursor, with at most `limit` items. */
type FetchPage = (cursor: string | undefined, limit: number | undefined) => Promise<Page<unknown>>;

function walk(
  send: Send,
  op: AnyOperation,
  input: LooseInput,
  options: CallOptions & { pageSize: number },
): AsyncGenerator<Page<unknown>> {
  const size = Number(input.query?.limit ?? options.pageSize);
  const fetchPage: FetchPage = (cursor, limit = size) => {
    const query = {
      ...input.query,
      limit: Math.min(size, limit),
      ...(cursor !== undefined && { page: cursor }),
    };
    return readPage(send, request(op, { ...input, query }, options));
  };
  return follow(fetchPage, input.query?.page as string | undefined, options.most);
}

function walkRequest(send: Send, first: TransportRequest): AsyncGenerator<Page<unknown>> {
  const fetchPage: FetchPage = (cursor) => {
    if (cursor === undefined) return readPage(send, first);
    const [path, search] = first.path.split('?');
    const query = new URLSearchParams(search);
    query.set('page', cursor);
    return readPage(send, { ...first, path: `${path}?${query}` });
  };
  return follow(fetchPage, undefined, undefined);
}

/**
 * Follows `next.page` until it is absent or empty. Fetches one page ahead while the last one is used.
 * @param most maximum number of items
 */
async function* follow(
  fetchPage: FetchPage,
  start: string | undefined,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page<unknown>> {
  let left = most;
  const seen = new Set<string>();
  const ask = (cursor: string | undefined): Promise<Page<unknown>> => {
    const page = fetchPage(cursor, Number.isFinite(left) ? left : undefined);
    page.catch(() => {}); // A page fetched ahead may fail after the reader stopped; the await below rethrows.
    return page;
  };
  let ahead = left > 0 ? ask(start) : undefined;
  while (ahead !== undefined) {
    const page: Page<unknown> = await ahead;
    if (page.items.length > left) page.items.length = left;
    left -= page.items.length;
    ahead = undefined;
    if (page.next !== undefined && left > 0) {
      if (seen.has(page.next)) throw repeatedCursor();
      seen.add(page.next);
      ahead = ask(page.next);
    }
    yield page;
  }
}

async function readPage(send: Send, sent: TransportRequest): Promise<Page<unknown>> {
  const response = await send(sent);
  const envelope = response.body;
  if (!isObject(envelope) || !Array.isArray(envelope.items))
    throw badShape(sent, response, 'a list envelope');
  const { items, next, count, ...extra } = envelope;
  const cursor = isObject(next) ? next.page : undefined;
  return {
    items: items as unknown[],
    extra,
    ...(typeof count === 'number' && { count }),
    ...(typeof cursor === 'string' && cursor !== '' && { next: cursor }),
  };
}

function badShape(sent: TransportRequest, response: TransportResponse, wanted: string): DocsError {
  return new DocsError('bad-response', 'wrong_shape', `The response is not ${wanted}.`, {
    method: sent.method,
    path: sent.path,
    status: response.status,
    attempts: response.attempts,
    ...(response.requestId !== undefined && { requestId: response.requestId }),
    // The status was a success: a write is done, whatever its response looks like.
    outcome: 'done',
    hint: 'docs doctor',
  });
}

function repeatedCursor(): DocsError {
  const message = 'The platform sent the same page cursor twice; the list would never end.';
  return new DocsError('bad-response', 'repeated_cursor', message, { hint: 'docs doctor' });
}
