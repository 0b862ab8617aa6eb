import type { SecureContext } from 'node:tls';
import { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { attemptOnce } from './transport/attempt.js';
import { checkBaseUrl, isLoopback, pathPrefix } from './transport/base-url.js';
import { Connector } from './transport/connector.js';
import type {
  DownloadOptions,
  Transport,
  TransportOptions,
  TransportRequest,
  TransportResponse,
} from './transport/contract.js';
import { Deadline } from './transport/deadline.js';
import { directConnect } from './transport/direct.js';
import type { Dispatch } from './transport/exchange.js';
import type { AttemptFailure, RequestFacts, Verdict } from './transport/failure.js';
import { guardToken, type TokenGuard } from './transport/origin.js';
import { writeRequest } from './transport/outgoing.js';
import { Pacing } from './transport/pacing.js';
import { Pool } from './transport/pool.js';
import { proxyFor } from './transport/proxy.js';
import { RetryQuota } from './transport/quota.js';
import { redactQuery } from './transport/redaction.js';
import { type RetryPolicy, withRetries } from './transport/retry.js';
import { effectOf } from './transport/retry-table.js';
import { createTrace, type Trace } from './transport/trace.js';

export { checkBaseUrl } from './transport/base-url.js';
export type * from './transport/contract.js';
export { RawNumber } from './transport/json-text.js';
export { encodeSegment } from './transport/path.js';

/** Time of one request where the command has no deadline (RELIABILITY.md, "Time, memory, signals"). */
const requestTimeoutMs = 60_000;

type Answered = Omit<TransportResponse, 'attempts'>;

/** The way to one origin. */
interface Route {
  dispatch: Dispatch;
  /** The proxy on the way, without credentials. */
  proxy: string | undefined;
  close(): Promise<void>;
}

/**
 * The way to the platform (RELIABILITY.md). From the outside in: deadline, token guard, common pace,
 * retries, one attempt, bounded body, checks of type and shape, error.
 * @throws DocsError configuration (base URL) or unauthenticated (a token that cannot be one); later
 *   errors come from `send`
 */
export function createTransport(options: TransportOptions): Transport {
  return new HttpTransport(options);
}

class HttpTransport implements Transport {
  readonly #options: TransportOptions;
  readonly #io: Io;
  readonly #base: URL;
  readonly #prefix: string;
  readonly #guard: TokenGuard;
  readonly #policy: RetryPolicy;
  readonly #trace: Trace | undefined;
  readonly #startedMs: number;
  readonly #routes = new Map<string, Promise<Route>>();
  #trust: Promise<SecureContext> | undefined;
  #closed = false;

  constructor(options: TransportOptions) {
    const { io } = options;
    this.#options = options;
    this.#io = io;
    this.#base = checkBaseUrl(options.baseUrl);
    this.#prefix = pathPrefix(this.#base);
    this.#guard = guardToken(options.credential);
    this.#trace = options.debug && createTrace(options.debug, [this.#guard.token]);
    this.#startedMs = io.now();
    const onWait: RetryPolicy['onWait'] = (wait) => {
      this.#trace?.note(`waiting ${Math.round(wait.ms)} ms: ${wait.reason}`);
      options.onWait?.(wait);
    };
    this.#policy = {
      io,
      pacing: new Pacing(io, onWait),
      quota: new RetryQuota(),
      maxAttempts: options.maxAttempts ?? 4,
      onWait,
    };
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const deadline = this.#deadline(request.timeoutMs ?? this.#requestTimeoutMs, request.signal);
    try {
      return await this.#send(request, deadline);
    } finally {
      deadline.close();
    }
  }

  async download(url: string, options: DownloadOptions): Promise<AsyncIterable<Uint8Array>> {
    const { download } = await import('./transport/download.js');
    const context = {
      io: this.#io,
      policy: this.#policy,
      userAgent: this.#options.userAgent,
      trace: this.#trace,
      route: (origin: string) => this.#route(origin),
      deadline: (part: 'head' | 'bytes', signal: AbortSignal | undefined) =>
        this.#deadline(part === 'head' ? this.#requestTimeoutMs : Number.POSITIVE_INFINITY, signal),
    };
    return download(context, url, options);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const routes = await Promise.allSettled(this.#routes.values());
    await Promise.all(
      routes.map((route) => (route.status === 'fulfilled' ? route.value.close() : undefined)),
    );
  }

  async #send(request: TransportRequest, deadline: Deadline): Promise<TransportResponse> {
    const outgoing = writeRequest(request, this.#prefix, this.#options.userAgent);
    this.#guard.authorize(this.#base.origin);
    const route = await this.#route(this.#base.origin);
    const facts = this.#factsOf(request, outgoing.path, route.proxy);
    const context = {
      io: this.#io,
      dispatch: route.dispatch,
      graceMs: this.#options.timeouts?.graceMs ?? 5000,
      trace: this.#trace,
    };
    const attempt = async () => {
      const verdict = await attemptOnce(context, outgoing, request, facts, deadline);
      if (verdict.ok) this.#policy.pacing.observe(verdict.value.headers);
      return this.#readBack(verdict, request, facts, deadline);
    };
    const { value, attempts } = await withRetries(this.#policy, deadline, facts, attempt, alreadyDone);
    return { ...value, attempts };
  }

  /** Reads again what a write answered, where that answer was cut short after its status. */
  async #readBack(
    verdict: Verdict<Answered>,
    request: TransportRequest,
    facts: RequestFacts,
    deadline: Deadline,
  ): Promise<Verdict<Answered>> {
    const { readBack } = request;
    if (verdict.ok || readBack === undefined || facts.effect === 'read') return verdict;
    const { condition, status } = verdict.failure;
    if (condition !== 'broken-body' || status === undefined) return verdict;
    try {
      const { attempts: _, ...value } = await this.#send(
        { method: 'GET', path: readBack, read: 'json' },
        deadline,
      );
      return { ok: true, value: { ...value, status } };
    } catch (error) {
      if (error instanceof DocsError) return verdict;
      throw error;
    }
  }

  #factsOf(request: TransportRequest, path: string, proxy: string | undefined): RequestFacts {
    return {
      method: request.method,
      path: redactQuery(path),
      resource: request.path.replace(/\?.*$/, ''),
      origin: this.#base.origin,
      loopback: isLoopback(this.#base.hostname),
      effect: effectOf(request.method, request.idempotent),
      ...(proxy !== undefined && { proxy }),
      ...(request.subject && { subject: request.subject }),
    };
  }

  get #requestTimeoutMs(): number {
    return this.#options.timeoutMs === undefined ? requestTimeoutMs : Number.POSITIVE_INFINITY;
  }

  /** The deadline of a request: its own, or the command's where that is earlier. */
  #deadline(limitMs: number, signal: AbortSignal | undefined): Deadline {
    const sources = signal === undefined ? [this.#io.signal] : [this.#io.signal, signal];
    const nowMs = this.#io.now();
    const { timeoutMs } = this.#options;
    const commandFirst = timeoutMs !== undefined && this.#startedMs + timeoutMs < nowMs + limitMs;
    return commandFirst
      ? new Deadline(this.#io, timeoutMs, this.#startedMs, sources)
      : new Deadline(this.#io, limitMs, nowMs, sources);
  }

  #route(origin: string): Promise<Route> {
    const known = this.#routes.get(origin);
    if (known !== undefined) return known;
    const route = this.#openRoute(origin);
    this.#routes.set(origin, route);
    return route;
  }

  async #openRoute(origin: string): Promise<Route> {
    if (this.#closed) throw new DocsError('interrupted', 'aborted', 'The connection was closed.', closed);
    const { io, caFile, timeouts, connections } = { ...this.#options };
    const proxy = proxyFor(new URL(origin), io.env);
    const secureContext = caFile === undefined ? undefined : await this.#trusted(caFile);
    const connectMs = timeouts?.connectMs ?? 10_000;
    const tls = new URL(origin).protocol === 'https:' ? await import('node:tls') : undefined;
    const direct = directConnect({ timeoutMs: connectMs, secureContext, tls });
    const connector = new Connector({ direct, proxy, secureContext, connectMs });
    const pool = new Pool(origin, {
      connector,
      connections: connections ?? 8,
      headersMs: timeouts?.headersMs ?? 30_000,
      bodyMs: timeouts?.bodyMs ?? 30_000,
    });
    return {
      dispatch: (request, exchange) => pool.dispatch(this.#authorized(request, origin), exchange),
      proxy: proxy?.url.origin,
      close: async () => {
        connector.close();
        pool.close();
      },
    };
  }

  /** Adds the token at the last moment: only to what goes to the origin it belongs to. */
  #authorized<R extends { headers: Record<string, string> }>(request: R, origin: string): R {
    const own = origin === this.#base.origin;
    const authorization = own ? this.#guard.authorize(origin) : undefined;
    return authorization === undefined
      ? request
      : { ...request, headers: { ...request.headers, authorization } };
  }

  #trusted(caFile: string): Promise<SecureContext> {
    this.#trust ??= import('./transport/certificates.js').then(({ trustWith }) =>
      trustWith(caFile, this.#io.env),
    );
    return this.#trust;
  }
}

/** The answer of a DELETE whose work an earlier attempt had done. */
function alreadyDone({ status, requestId }: AttemptFailure): Answered {
  return {
    status: status ?? 404,
    headers: {},
    body: undefined,
    alreadyDone: true,
    ...(requestId !== undefined && { requestId }),
  };
}

const closed = { outcome: 'not-sent', hint: 'docs doctor' } as const;
