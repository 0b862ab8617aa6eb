import type { SecureContext } from 'node:tls';
import { DocsError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { isBinary } from '../base/own-program.js';
import {
  type Address,
  addressOf,
  checkBaseUrl,
  guardToken,
  isLoopback,
  pathPrefix,
  proxyFor,
  proxyPasswords,
  type TokenGuard,
} from './transport/address.js';
import { attemptOf, createTrace, type Trace } from './transport/attempt.js';
import type { BunConnector } from './transport/bun-socket.js';
import type { Connector } from './transport/connector.js';
import type {
  DownloadOptions,
  Transport,
  TransportRequest,
  TransportResponse,
} from './transport/contract.js';
import { type ConnectionLimits, type Connections, writeRequest } from './transport/exchange.js';
import { type AttemptFailure, effectOf, type RequestFacts } from './transport/failure.js';
import type { TransportOptions } from './transport/options.js';
import { allowed, type Deadline, Deadlines, Pacing } from './transport/pacing.js';
import { isSecretName, Redaction, redactQuery } from './transport/redaction.js';
import { type RetryPolicy, RetryQuota, withRetries } from './transport/retry.js';
import type { SocketOptions } from './transport/socket-read.js';
import type { UndiciConnections } from './transport/undici-connections.js';

export { checkBaseUrl } from './transport/address.js';
export type * from './transport/contract.js';
export { encodeSegment } from './transport/exchange.js';
export { RawNumber } from './transport/json-text.js';
export type * from './transport/options.js';

/** Time limit of a request if the command has no deadline (RELIABILITY.md, "Time, memory, signals"). */
const requestTimeoutMs = 60_000;

/**
 * Sends requests to the platform by the rules of RELIABILITY.md. A request passes through `send` (deadline,
 * token guard), `withRetries` (retry table, common pace), `attemptOf` (one attempt, judged) and
 * `dispatch` (a connection).
 * @throws DocsError configuration (base URL) or unauthenticated (malformed token); `send` throws the rest
 */
export function createTransport(options: TransportOptions): Transport {
  return new HttpTransport(options);
}

class HttpTransport implements Transport {
  readonly #options: TransportOptions;
  readonly #io: Io;
  readonly #base: Address;
  readonly #place: Pick<RequestFacts, 'origin' | 'loopback'>;
  readonly #prefix: string;
  readonly #guard: TokenGuard;
  readonly #policy: RetryPolicy;
  readonly #redaction: Redaction;
  /** Of tokens alone: a body may have the password of a proxy by chance. */
  readonly #tokens: Redaction;
  readonly #startedMs: number;
  readonly #deadlines: Deadlines;
  readonly #connections = new Map<string, Promise<Connections>>();
  #trust: Promise<SecureContext> | undefined;
  #closed = false;
  platformNowMs: number | undefined;
  rateLimit: number | undefined;

  constructor(options: TransportOptions) {
    const { io } = options;
    this.#options = options;
    this.#io = io;
    this.#base = checkBaseUrl(options.baseUrl);
    this.#place = { origin: this.#base.origin, loopback: isLoopback(this.#base.hostname) };
    this.#prefix = pathPrefix(this.#base);
    this.#guard = guardToken(options.credential);
    this.#tokens = new Redaction(tokensOf(this.#guard.token, options));
    this.#redaction = redactionOf(this.#guard.token, options, this.#tokens);
    this.#startedMs = io.now();
    this.#deadlines = new Deadlines(io);
    const onWait: RetryPolicy['onWait'] = (wait) => {
      this.#trace(this.#redaction)?.note(`waiting ${Math.round(wait.ms)} ms: ${wait.reason}`);
      options.onWait?.(wait);
    };
    this.#policy = {
      io,
      pacing: new Pacing(io, onWait, options.pace),
      quota: new RetryQuota(),
      maxAttempts: options.maxAttempts ?? 4,
      onWait,
    };
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#options.readOnly === true && request.method !== 'GET') throw writeInPlan(request);
    await this.#options.admit?.(request);
    if (this.#options.pace !== undefined) await this.#turn(request.signal);
    const deadline = this.#deadline(request.timeoutMs ?? this.#requestTimeoutMs, request.signal);
    try {
      const outgoing = writeRequest(request, this.#prefix, this.#options.userAgent);
      if (this.hasToken(outgoing.body ?? '')) throw tokenInBody(request);
      const { origin } = this.#place;
      this.#guard.authorize(origin);
      const connections = await this.#connect('api', origin);
      const redaction = this.#redaction.and(secretHeaders(request));
      const facts = new Facts(request, outgoing.path, this.#place, connections.proxy, redaction);
      const graceMs = this.#options.timeouts?.graceMs ?? 5000;
      const trace = this.#trace(redaction);
      const context = { io: this.#io, connections, graceMs, trace, redaction };
      const policy = request.once ? { ...this.#policy, maxAttempts: 1 } : this.#policy;
      const attempt = attemptOf(context, outgoing, request, facts, deadline);
      const { value, attempts } = await withRetries(policy, deadline, facts, attempt, alreadyDone);
      this.#policy.pacing.observe(value.headers);
      this.platformNowMs = value.dateMs ?? this.platformNowMs;
      this.rateLimit = allowed(value.headers) ?? this.rateLimit;
      value.attempts = attempts;
      return value;
    } catch (error) {
      return await this.#readBack(request, error, deadline.remainingMs());
    } finally {
      deadline.close();
    }
  }

  hasToken(text: string): boolean {
    return this.#tokens.has(text);
  }

  async download(url: string, options: DownloadOptions): Promise<AsyncIterable<Uint8Array>> {
    const { admit } = this.#options;
    await admit?.({ method: 'GET', path: url, download: true });
    if (this.#options.pace !== undefined) await this.#turn(options.signal);
    const { download } = await import('./transport/download.js');
    const context = {
      io: this.#io,
      policy: this.#policy,
      userAgent: this.#options.userAgent,
      trace: this.#trace(this.#redaction),
      redaction: this.#redaction,
      local: this.#place.loopback,
      connect: (origin: string) => this.#connect('download', origin),
      deadline: (part: 'head' | 'bytes', signal: AbortSignal | undefined) =>
        this.#deadline(part === 'head' ? this.#requestTimeoutMs : Number.POSITIVE_INFINITY, signal),
    };
    return download(context, url, options);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opened = await Promise.allSettled([...this.#connections.values()]);
    await Promise.all(opened.map((of) => (of.status === 'fulfilled' ? of.value.close() : undefined)));
  }

  /** Waits for the turn of a request, outside of its own time limit: with `--pace 0.1` it may be minutes. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    const { timeoutMs = Number.POSITIVE_INFINITY } = this.#options;
    const all = signal === undefined ? this.#io.signal : AbortSignal.any([this.#io.signal, signal]);
    await this.#policy.pacing.turn(all, this.#startedMs + timeoutMs - this.#io.now());
  }

  /** Gets the result of a write whose response was cut short after its status. */
  async #readBack(request: TransportRequest, error: unknown, timeoutMs: number): Promise<TransportResponse> {
    if (!(error instanceof DocsError) || request.readBack === undefined) throw error;
    const { status, attempts = 1 } = error.failure;
    const broken = error.code === 'cut_short' || error.code === 'stalled';
    if (!broken || status === undefined || request.method === 'GET') throw error;
    const { readBack: path, signal } = request;
    try {
      const read = await this.send({ method: 'GET', path, read: 'json', timeoutMs, signal });
      return { ...read, status, attempts };
    } catch (failure) {
      throw failure instanceof DocsError ? error : failure;
    }
  }

  #trace(redaction: Redaction): Trace | undefined {
    return this.#options.debug && createTrace(this.#options.debug, redaction);
  }

  get #requestTimeoutMs(): number {
    return this.#options.timeoutMs === undefined ? requestTimeoutMs : Number.POSITIVE_INFINITY;
  }

  /** The deadline of a request: its own or the command's, whichever is earlier. */
  #deadline(limitMs: number, signal: AbortSignal | undefined): Deadline {
    const nowMs = this.#io.now();
    const { timeoutMs } = this.#options;
    const commandFirst = timeoutMs !== undefined && this.#startedMs + timeoutMs < nowMs + limitMs;
    return commandFirst
      ? this.#deadlines.open(timeoutMs, this.#startedMs, signal)
      : this.#deadlines.open(limitMs, nowMs, signal);
  }

  /**
   * Connections to an origin: Node's own HTTP for direct requests to the API, sockets for a first read, a few requests in
   * turn, or reads alone (see socket-read.ts), undici for the rest.
   */
  #connect(use: 'api', origin: string): Promise<Connections>;
  #connect(use: 'download', origin: string): Promise<UndiciConnections>;
  #connect(use: 'api' | 'download', origin: string): Promise<Connections> {
    const key = `${use} ${origin}`;
    const connections = this.#connections.get(key) ?? this.#openConnections(use, origin);
    this.#connections.set(key, connections);
    return connections;
  }

  async #openConnections(use: 'api' | 'download', origin: string): Promise<Connections> {
    if (this.#closed) throw new DocsError('interrupted', 'aborted', 'the connection was closed', closed);
    const { caFile, timeouts, connections = 8, single = false, series = false } = this.#options;
    const isReading = this.#options.readOnly === true;
    const target = addressOf(origin);
    const proxy = proxyFor(target, this.#io.env);
    const secureContext = caFile === undefined ? undefined : await this.#trusted(caFile);
    const connectMs = timeouts?.connectMs ?? 10_000;
    const isSecure = (proxy?.url ?? target).protocol === 'https:';
    const limits = this.#limitsOf(origin);
    if (use === 'api' && this.#options.connect !== undefined) return this.#options.connect(limits);
    const connector = async (isBrief = false) => {
      const { Connector } = await import('./transport/connector.js');
      const tls = isSecure ? await import('node:tls') : undefined;
      return new Connector({ timeoutMs: connectMs, secureContext, tls, isBrief });
    };
    const pool = async () => ({ ...limits, connector: await connector(), connections });
    if (use === 'download' || proxy !== undefined) {
      const { UndiciConnections } = await import('./transport/undici-connections.js');
      return new UndiciConnections(origin, { ...(await pool()), proxy, secureContext, connectMs });
    }
    const later = async () => {
      const { Pool } = await import('./transport/pool.js');
      return new Pool(origin, await pool());
    };
    // Without Node the first read of a list goes by a socket, too: to load `node:http` costs more there.
    const isPlain = isBinary ? caFile === undefined : single || series || isReading;
    if (!isPlain) return later();
    const plain = isBinary ? await bunConnector(connectMs, connector) : await connector(single && !series);
    const { SocketConnections } = await import('./transport/socket-read.js');
    const resume: SocketOptions['resume'] = async (socket, seen) => {
      const { resumedPool } = await import('./transport/resumed.js');
      return resumedPool(origin, await pool(), socket, seen);
    };
    return new SocketConnections(origin, {
      ...limits,
      connector: plain,
      isSeries: !single,
      atOnce: isBinary || series ? 1 : connections,
      later,
      resume,
    });
  }

  #limitsOf(origin: string): ConnectionLimits {
    const { timeouts } = this.#options;
    return {
      headersMs: timeouts?.headersMs ?? 30_000,
      bodyMs: timeouts?.bodyMs ?? 30_000,
      // The token goes only to the origin it belongs to, checked for each request.
      authorize: () => (origin === this.#place.origin ? this.#guard.authorize(origin) : undefined),
    };
  }

  #trusted(caFile: string): Promise<SecureContext> {
    const read = () => import('./transport/certificates.js');
    this.#trust ??= read().then(({ trustWith }) => trustWith(caFile, this.#io.env));
    return this.#trust;
  }
}

/** What connects in the program without Node. @param connector opens Node's own, for what it does not know */
async function bunConnector(timeoutMs: number, connector: () => Promise<Connector>): Promise<BunConnector> {
  const { BunConnector } = await import('./transport/bun-socket.js');
  return new BunConnector(timeoutMs, connector);
}

/** The token in use, and DOCS_TOKEN, which may belong to another platform. */
function tokensOf(token: string | undefined, { io }: TransportOptions): (string | undefined)[] {
  return [token, io.env.DOCS_TOKEN?.trim()];
}

function redactionOf(token: string | undefined, options: TransportOptions, tokens: Redaction): Redaction {
  const { io, onSecret } = options;
  const secrets = [...tokensOf(token, options), ...proxyPasswords(io.env)];
  return new Redaction(secrets, (content) => onSecret?.(tokens.has(content)));
}

/** What the errors of a request say of it. Texts are made for an error: most requests succeed. */
class Facts implements RequestFacts {
  readonly method: RequestFacts['method'];
  readonly origin: string;
  readonly loopback: boolean;
  readonly proxy: string | undefined;
  readonly #request: TransportRequest;
  readonly #path: string;
  readonly #redaction: Redaction;

  /** @param path with that of the base URL */
  constructor(
    request: TransportRequest,
    path: string,
    { origin, loopback }: Pick<RequestFacts, 'origin' | 'loopback'>,
    proxy: string | undefined,
    redaction: Redaction,
  ) {
    this.method = request.method;
    this.origin = origin;
    this.loopback = loopback;
    this.proxy = proxy;
    this.#request = request;
    this.#path = path;
    this.#redaction = redaction;
  }

  get path(): string {
    return this.#redaction.text(redactQuery(this.#path));
  }

  get resource(): string {
    return this.#redaction.text(this.#request.path.replace(/\?.*$/, ''));
  }

  get effect(): RequestFacts['effect'] {
    return effectOf(this.method, this.#request.idempotent);
  }

  get subject(): RequestFacts['subject'] {
    return this.#request.subject;
  }
}

/** A token in a title or a page would be published: whoever reads the platform could use it. */
export function tokenInBody({ method, path }: Pick<TransportRequest, 'method' | 'path'>): DocsError {
  const request = `${method} ${redactQuery(path)}`;
  const message = `${request} was not sent: its body contains the token in use, which others could then read`;
  return new DocsError('usage', 'token_in_body', message, { outcome: 'not-sent', hint: 'docs auth status' });
}

/** Values of the caller's own headers that look secret: the platform may repeat them as it may the token. */
function secretHeaders({ headers = {} }: TransportRequest): string[] {
  return Object.entries(headers)
    .filter(([name]) => isSecretName(name))
    .map(([, value]) => value);
}

/** The response to a DELETE that an earlier attempt had carried out. */
function alreadyDone({ status = 404, requestId }: AttemptFailure): TransportResponse {
  return { status, headers: {}, body: undefined, alreadyDone: true, requestId, attempts: 1 };
}

/** Somebody who makes a plan relies on it that nothing is changed, so this is a bug wherever it happens. */
function writeInPlan({ method, path }: TransportRequest): DocsError {
  const request = `${method} ${redactQuery(path)}`;
  const message = `this is a bug in docs: ${request} was not sent, because a plan is made by reads alone`;
  return new DocsError('bug', 'read_only', message, { outcome: 'not-sent', hint: 'docs doctor' });
}

const closed = { outcome: 'not-sent', hint: 'docs doctor' } as const;
