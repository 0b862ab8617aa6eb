import { DocsError } from '../base/errors.js';
import { isObject } from '../base/values.js';
import type { AnyOperation, Input, Result } from './operation.js';
import { filledPath, successStatuses } from './operation-facts.js';
import { badShape, type Listing, listing, type Page, walkRequest } from './pages.js';
import { encodeSegment } from './transport/exchange.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

export type { LinesPage, Listing, Page } from './pages.js';

/** Requests under way at once, unless `--concurrency` says another number. What is sent ahead of a command is what it would send. */
export const requestsAtOnce = 8;

/** What `call` returns: a list for page operations, otherwise a promise of a resource or of nothing. */
type Answer<Op> = Op extends { returns: { kind: 'page' } } ? Listing<Result<Op>> : Promise<Result<Op>>;

export interface CallOptions {
  signal?: AbortSignal;
  /** Whether a failure is final: for what can be done without. */
  once?: boolean;
  /** Maximum number of items; the last page requests only what is missing. Default: all. */
  most?: number;
  /** The resource in words and the command that shows it, for errors with an unknown outcome. */
  subject?: TransportRequest['subject'];
  /** Called with the response of a call that is not a list, before its shape is checked. */
  onAnswer?(answer: TransportResponse): void;
}

/** The request for an operation and its input: encoded path and query, before authentication. */
export type PreparedRequest = Pick<TransportRequest, 'method' | 'path' | 'body'>;

/** An input whose operation is not known to the type checker. */
export interface LooseInput {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** The platform's API; errors are as those of `Transport`. */
export interface Client extends Transport {
  /** Sends what the declaration says and checks the shape of the response. */
  call<Op extends AnyOperation>(op: Op, input: Input<Op>, options?: CallOptions): Answer<Op>;
  /** All pages of any list request; `next.page` is only used as its query parameter `page`. */
  pagesOf(request: TransportRequest): AsyncIterable<Page<unknown>>;
}

/** Maximum page size (spec A, "Limits"). */
const maxPageSize = 1000;

/** @param options.pageSize items per page if the input has no `limit` */
export function createClient(transport: Transport, options: { pageSize?: number } = {}): Client {
  const { pageSize = maxPageSize } = options;
  return {
    call: ((op: AnyOperation, input: LooseInput, callOptions: CallOptions = {}) =>
      op.returns.kind === 'page'
        ? pagesOf(transport, op, input, { pageSize, ...callOptions })
        : single(transport, op, input, callOptions)) as Client['call'],
    send: (request) => transport.send(request),
    pagesOf: (request) => walkRequest(transport, request),
    download: (url, options) => transport.download(url, options),
    get platformNowMs() {
      return transport.platformNowMs;
    },
    get rateLimit() {
      return transport.rateLimit;
    },
    close: () => transport.close(),
  };
}

/** Builds the request: every path segment encoded, arrays as repeated query keys. */
export function prepare(op: AnyOperation, input: LooseInput): PreparedRequest {
  const path = filledPath(op.path, (name) => encodeSegment(input.path?.[name] ?? ''));
  const body = op.body && (input.body ?? {});
  return { method: op.method, path: path + searchOf(input.query ?? {}), ...(body !== undefined && { body }) };
}

function searchOf(asked: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  const query = new URLSearchParams();
  for (const [key, value] of given)
    for (const item of Array.isArray(value) ? value : [value]) query.append(key, String(item));
  return query.size === 0 ? '' : `?${query}`;
}

function request(op: AnyOperation, input: LooseInput, options: CallOptions): TransportRequest {
  // Named, not spread: V8 gives each object that goes on after a spread a new layout in the old part of the heap.
  const { path, body } = prepare(op, input);
  const { signal, once } = options;
  const { method, success, returns } = op;
  const sets = (method === 'PATCH' || method === 'PUT') && returns.kind === 'one' && success !== 201;
  return {
    method,
    path,
    body,
    // A PUT that creates a new resource each time, such as a team, must not be sent twice.
    idempotent: method === 'PUT' && success === 201 ? false : undefined,
    readBack: sets ? path : undefined,
    expect: successStatuses(op),
    read: returns.kind === 'none' ? ('nothing' as const) : ('json' as const),
    signal,
    // Read for an error alone, and some callers make it then.
    get subject() {
      return options.subject;
    },
    once,
  };
}

async function single(
  transport: Transport,
  op: AnyOperation,
  input: LooseInput,
  options: CallOptions,
): Promise<unknown> {
  const sent = request(op, input, options);
  const response = await transport.send(sent);
  options.onAnswer?.(response);
  if (op.returns.kind === 'none') return undefined;
  const wantsList = (op.returns as { schema: { type?: string } }).schema.type === 'array';
  const fits = wantsList ? Array.isArray(response.body) : isObject(response.body);
  if (!fits) throw badShape(sent, response, wantsList ? 'a list' : 'an object');
  return response.body;
}

function pagesOf(
  transport: Transport,
  op: AnyOperation,
  input: LooseInput,
  options: CallOptions & { pageSize: number },
): Listing<unknown> {
  const { pageSize, most } = options;
  const asked = { query: input.query ?? {}, pageSize, most };
  return listing(transport, (query) => request(op, { ...input, query }, options), asked);
}

/** The one seam where types end: for operations known only at run time, with inputs that were checked. */

type TypedInput = Parameters<Client['call']>[1];

/** Calls an operation that answers one resource or nothing. @throws DocsError as `Client.call` */
export async function callOne(
  client: Client,
  { op, input }: { op: AnyOperation; input: LooseInput },
  options?: CallOptions,
): Promise<unknown> {
  return client.call(op, input as TypedInput, options);
}

/** Calls an operation that answers pages. */
export function listOf(
  client: Client,
  op: AnyOperation,
  input: LooseInput,
  options?: CallOptions,
): Listing<unknown> {
  // Which operations answer with pages is known by their declarations, not by the type of any of them.
  return client.call(op, input as TypedInput, options) as unknown as Listing<unknown>;
}

/** Passes bytes on and counts them. @throws DocsError bad-response `wrong_length` if they are not `expected` */
export async function* measured(
  bytes: AsyncIterable<Uint8Array>,
  expected: number | undefined,
  meter: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    meter.bytes += chunk.length;
    if (expected !== undefined && meter.bytes > expected)
      throw wrongLength(expected, `more than ${expected}`);
    yield chunk;
  }
  if (expected !== undefined && meter.bytes < expected) throw wrongLength(expected, `only ${meter.bytes}`);
}

function wrongLength(expected: number, came: string): DocsError {
  const message = `expected ${expected} bytes but received ${came}; the download is not usable`;
  return new DocsError('bad-response', 'wrong_length', message, { outcome: 'done', retryable: true });
}
