import { isVisibleAscii } from '../../base/characters.js';
import { usageError } from '../../base/errors.js';
import { isBinary } from '../../base/own-program.js';
import type { Headers, TransportRequest } from './contract.js';
import { formatJson } from './json-text.js';

/** Largest header of a response, in bytes. */
export const largestHeader = 16 * 1024;

/** How long an idle connection is kept, in milliseconds, unless the server keeps it for less. */
const idleMs = 4000;
/** Taken off the server's own limit, so that no request is written to a connection being closed. */
const marginMs = 1000;

/** How long a connection may be idle, in milliseconds. @param keepAlive what the server says of it */
export function keptMs(keepAlive: string | undefined): number {
  const [, seconds] = /\btimeout=(\d+)/.exec(keepAlive ?? '') ?? [];
  return seconds === undefined ? idleMs : Math.min(idleMs, Number(seconds) * 1000 - marginMs);
}

/** A request as it goes out, without the token. */
export interface DispatchRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Steers an exchange that is under way. */
export interface Controller {
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

/** Connections to one origin: Node's own HTTP (pool.ts), a socket (socket-read.ts), undici (undici-connections.ts). */
export interface Connections {
  /** The proxy on the way, without credentials. */
  readonly proxy: string | undefined;
  /** Sends a request as soon as a connection is free. */
  dispatch(request: DispatchRequest, exchange: Exchange): void;
  /** Closes all connections; pending requests fail with `CLOSED`. */
  close(): Promise<void>;
}

/** What holds for each request to an origin. */
export interface ConnectionLimits {
  /** From the request to the head of the response, in milliseconds. */
  headersMs: number;
  /** Silence within a body, in milliseconds. */
  bodyMs: number;
  /** The value of `authorization`, asked for right before a request is written. */
  authorize(): string | undefined;
}

/** Why the transport itself closed a connection. */
type ClosedBy =
  | 'CONNECT_TIMEOUT'
  | 'HEADERS_TIMEOUT'
  | 'BODY_TIMEOUT'
  | 'RANGE_MISMATCH'
  | 'UPGRADE'
  | 'CLOSED';

/** An error raised by the transport itself, with a `code` like those of system errors. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
  readonly code: ClosedBy;

  constructor(code: ClosedBy) {
    super(code);
    this.code = code;
  }
}

/**
 * One request and its response. The pool and undici call the `on…` methods, which are those of undici's
 * dispatch handlers; a subclass collects the response. Retries depend on `sent`.
 */
export abstract class Exchange {
  #controller: Controller | undefined;
  #cancelled: Error | undefined;
  #sent = false;

  /** Whether any part of the request was written to a connection. */
  get sent(): boolean {
    return this.#sent;
  }

  /** Stops at once; a request still waiting for a connection is never sent. */
  cancel(): void {
    this.#cancelled ??= new Error('The exchange was cancelled.');
    this.#controller?.abort(this.#cancelled);
  }

  /** Called right before the request is written. */
  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#cancelled === undefined) this.#sent = true;
    else controller.abort(this.#cancelled);
  }

  onResponseStart(
    controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200) this.head(status, joinValues(headers), controller);
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    this.data(chunk);
  }

  /**
   * The pool can reuse the connection only one turn of the event loop later. Reported sooner, a caller
   * that sends its next request immediately would open a second connection.
   */
  onResponseEnd(): void {
    // `queueMicrotask` makes an AsyncResource, which no other part of a short run does.
    void Promise.resolve().then(() => setImmediate(() => this.end()));
  }

  /** The same where the connection serves no other request. */
  onLastEnd(): void {
    this.end();
  }

  onResponseError(_controller: Controller | undefined, error: unknown): void {
    this.error(error);
  }

  protected abstract head(status: number, headers: Headers, controller: Controller): void;
  protected abstract data(chunk: Uint8Array): void;
  protected abstract end(): void;
  /** @param error why the connection failed, before or after the head */
  protected abstract error(error: unknown): void;
}

/** Joins repeated headers into one value, as HTTP allows. */
function joinValues(headers: Record<string, string | string[] | undefined>): Headers {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value !== 'string') headers[name] = (value ?? []).join(', ');
  }
  return headers as Headers;
}

/** The response to one request, as far as it arrived. */
export interface Received {
  /** Absent where no response arrived. */
  head?: { status: number; headers: Headers };
  body: Uint8Array;
  end: 'whole' | 'error' | 'too_large' | 'stopped';
  /** Why the connection failed. */
  error?: unknown;
}

/** How many bytes of a body to keep, and whether more is an error or simply not needed. */
export interface BodyLimit {
  keep: number;
  more: 'error' | 'ignore';
}

/** What gathers the chunks of a body. */
export interface Gathering {
  /** Begins a body. @param bytes how long it is said to be; 0 where that is unknown */
  begin(bytes: number): void;
  add(chunk: Uint8Array): void;
  /** All that was added. */
  whole(): Uint8Array;
}

/** Keeps the chunks, and puts them together at the end. */
class Chunks implements Gathering {
  #chunks: Uint8Array[] = [];

  begin(): void {
    this.#chunks = [];
  }

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  whole(): Uint8Array {
    const [first, second] = this.#chunks;
    return first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks);
  }
}

/** Collects a response up to a limit, at which reading stops. */
export class BoundedBody extends Exchange {
  readonly received: Promise<Received>;
  readonly #limitOf: (status: number) => BodyLimit;
  #settle: (received: Received) => void = () => {};
  #controller: Controller | undefined;
  #head: { status: number; headers: Headers } | undefined;
  #limit: BodyLimit = { keep: 0, more: 'ignore' };
  /** Undefined once the response is over: what gathers it may by then gather another. */
  #body: Gathering | undefined;
  #size = 0;

  constructor(limitOf: (status: number) => BodyLimit, body: Gathering = new Chunks()) {
    super();
    this.#limitOf = limitOf;
    this.#body = body;
    body.begin(0);
    this.received = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  override cancel(): void {
    this.#finish('stopped');
    super.cancel();
  }

  protected head(status: number, headers: Headers, controller: Controller): void {
    this.#controller = controller;
    this.#head = { status, headers };
    this.#limit = this.#limitOf(status);
    const length = Number(headers['content-length'] ?? 0);
    if (length > this.#limit.keep) this.#overflow();
    else this.#body?.begin(length || 0);
  }

  protected data(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit.keep) this.#overflow();
    else this.#body?.add(chunk);
  }

  protected end(): void {
    this.#finish('whole');
  }

  protected error(error: unknown): void {
    this.#finish('error', error);
  }

  #overflow(): void {
    this.#finish(this.#limit.more === 'error' ? 'too_large' : 'whole');
    this.#controller?.abort(new Error('The rest of the body is not needed.'));
  }

  #finish(end: Received['end'], error?: unknown): void {
    if (this.#body === undefined) return;
    this.#settle({ head: this.#head, body: this.#body.whole(), end, error });
    this.#body = undefined;
  }
}

/** Headers for identity, routing and framing, which callers must not set. */
const ownHeaders: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'keep-alive',
  'proxy-connection',
];

/**
 * Builds a request, except for the token, below the path of the base URL.
 * @throws DocsError usage `invalid_path` or `invalid_header`; nothing was sent
 */
export function writeRequest(request: TransportRequest, prefix: string, userAgent: string): DispatchRequest {
  checkPath(request.path);
  const headers: Record<string, string> = {
    accept: request.read === 'bytes' ? '*/*' : 'application/json',
    // No compression: the size limit applies to the bytes as they arrive.
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
  const hasBody = request.body !== undefined;
  if (hasBody) headers['content-type'] = 'application/json';
  if (request.headers !== undefined) addHeaders(headers, request.headers);
  return {
    method: request.method,
    path: prefix + request.path,
    headers,
    body: hasBody ? formatJson(request.body) : null,
  };
}

function addHeaders(headers: Record<string, string>, extra: Readonly<Record<string, string>>): void {
  for (const [given, value] of Object.entries(extra)) {
    const name = given.toLowerCase();
    if (ownHeaders.includes(name)) throw invalidHeader(`the header ${name} is reserved: docs sets it`);
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) throw invalidHeader('a header has an invalid name');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw invalidHeader(`the header ${name} contains a newline or another invalid character`);
    }
    headers[name] = value;
  }
}

/**
 * Encodes an id as one path segment, so that it cannot address another resource.
 * @throws DocsError usage `invalid_id` (RELIABILITY.md, "Secrets and origins")
 */
export function encodeSegment(value: string): string {
  if (value === '') throw invalidId('the id must not be empty');
  if (value === '.' || value === '..') throw invalidId(`"${value}" is not an id`);
  try {
    return encodeURIComponent(value);
  } catch {
    throw invalidId('the id contains a lone surrogate');
  }
}

/** Checks a path that is sent unchanged. @throws DocsError usage `invalid_path` */
export function checkPath(path: string): void {
  if (!path.startsWith('/')) throw invalidPath('the path must start with "/"');
  if (path.includes('#')) throw invalidPath('the path must not contain "#"; encode it as %23');
  // Of a loop over each character, V8 makes optimized code once there are dozens of paths; Bun is slow to make a first
  // regular expression, and a read needs no other.
  if (isBinary ? !isVisibleAscii(path) : /[^!-~]/.test(path)) {
    throw invalidPath(
      'the path must not contain spaces, control characters or non-ASCII characters; encode them',
    );
  }
}

const invalidId = (message: string) => usageError('invalid_id', message, { hint: 'docs --help' });
const invalidPath = (message: string) => usageError('invalid_path', message, { hint: 'docs api --help' });
const invalidHeader = (message: string) => usageError('invalid_header', message, { hint: 'docs api --help' });
