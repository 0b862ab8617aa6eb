import { type Outcome, systemCode } from '../../base/errors.js';
import type { ExitName } from '../../base/exit-codes.js';
import { redactText } from '../../base/redaction.js';
import { isObject, jsonIn } from '../../base/values.js';
import type { Method } from '../operation.js';
import type { Headers, Subject } from './contract.js';
import { askedWaitMs, requestIdOf, retryAfterMs } from './pacing.js';

/** What errors say about a request. */
export interface RequestFacts {
  method: Method;
  /** Path and query as sent, secrets removed. */
  path: string;
  /** The caller's path, without query; for hints. */
  resource: string;
  /** Scheme, host and port. */
  origin: string;
  /** Whether the origin is this machine. */
  loopback: boolean;
  /** The proxy on the way, without credentials. */
  proxy?: string;
  effect: Effect;
  subject?: Subject;
}

/** A failed attempt: what to report, and whether to retry. */
export interface AttemptFailure {
  kind: ExitName;
  code: string;
  message: string;
  hint: string;
  condition: Condition;
  /** The effect of this attempt alone. */
  outcome: Outcome;
  /** For the line that announces a wait. */
  reason: string;
  retryable: boolean;
  /** Whether it failed by a timeout. */
  timedOut?: boolean;
  /** The wait the platform asks for, in milliseconds. */
  floorMs?: number;
  status?: number;
  requestId?: string;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** How an attempt ended. */
export type Verdict<T> = { ok: true; value: T } | { ok: false; failure: AttemptFailure };

/** The command that shows the subject of a request. */
export function showHint(facts: RequestFacts): string {
  return facts.subject?.showCommand ?? `docs api GET ${shellWord(facts.resource)}`;
}

/** The subject of a request, in words. */
export function whatOf(facts: RequestFacts): string {
  return facts.subject?.what ?? `${facts.method} ${facts.path}`;
}

/** Where a request went, in words. */
function whereOf(facts: RequestFacts): string {
  return facts.proxy === undefined ? facts.origin : `${facts.origin} (through the proxy ${facts.proxy})`;
}

/** A duration for people: `0.4 s`, `95 s`. */
export function seconds(ms: number): string {
  return `${ms < 10_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1000)} s`;
}

/** A path quoted as one word of a shell. */
function shellWord(path: string): string {
  return /^[\w./%~:@+=-]*$/.test(path) ? path : `'${path.replaceAll("'", '%27')}'`;
}

/** What sending a request twice does to the platform. */
type Effect = 'read' | 'idempotent' | 'other';

/** Why an attempt failed: the rows of the retry table in RELIABILITY.md. */
export type Condition =
  | 'not-connected'
  | 'name-unknown'
  | 'refused-on-loopback'
  | 'unsafe'
  | 'no-answer'
  | 'broken-body'
  | 'refused-for-now'
  | 'unavailable'
  | 'server-error'
  | 'final';

type Answer = 'yes' | 'once' | 'no';

/** RELIABILITY.md, "Retries". For writes `broken-body` is read again by GET, never resent. */
const table = (): Record<Condition, Record<Effect, Answer>> => ({
  'not-connected': { read: 'yes', idempotent: 'yes', other: 'yes' },
  'name-unknown': { read: 'once', idempotent: 'once', other: 'once' },
  'refused-on-loopback': { read: 'no', idempotent: 'no', other: 'no' },
  unsafe: { read: 'no', idempotent: 'no', other: 'no' },
  'no-answer': { read: 'yes', idempotent: 'yes', other: 'no' },
  'broken-body': { read: 'yes', idempotent: 'no', other: 'no' },
  'refused-for-now': { read: 'yes', idempotent: 'yes', other: 'yes' },
  unavailable: { read: 'yes', idempotent: 'yes', other: 'no' },
  'server-error': { read: 'yes', idempotent: 'no', other: 'no' },
  final: { read: 'no', idempotent: 'no', other: 'no' },
});

/** @param idempotent the caller's word; default: true for all but POST and PATCH */
export function effectOf(method: Method, idempotent?: boolean): Effect {
  if (method === 'GET') return 'read';
  return (idempotent ?? (method === 'PUT' || method === 'DELETE')) ? 'idempotent' : 'other';
}

/** Whether another attempt is allowed after `attempts` of at most `maxAttempts`. */
export function mayRetry(
  condition: Condition,
  effect: Effect,
  attempts: number,
  maxAttempts: number,
): boolean {
  if (attempts >= maxAttempts) return false;
  const answer = table()[condition][effect];
  return answer === 'yes' || (answer === 'once' && attempts === 1);
}

/** @param hasRetryAfter whether the response has `Retry-After` */
function conditionOf(status: number, hasRetryAfter: boolean): Condition {
  if (status === 429 || (status === 503 && hasRetryAfter)) return 'refused-for-now';
  if (status === 500) return 'server-error';
  const transient = [408, 425, 502, 503, 504];
  return transient.includes(status) ? 'unavailable' : 'final';
}

/** Full jitter in milliseconds: 0 to min(20 s, 0.5 s × 2ⁿ) for n retries so far. @param random from [0, 1) */
export function jitterMs(retries: number, random: () => number): number {
  return random() * Math.min(20_000, 500 * 2 ** retries);
}

/**
 * The wait before the next attempt, in milliseconds: the jitter, but at least what the platform asks for
 * plus up to 10 %.
 * @param floorMs what the platform asks for
 */
export function backoffMs(retries: number, floorMs: number | undefined, random: () => number): number {
  const ms = jitterMs(retries, random);
  return floorMs === undefined ? ms : Math.max(ms, floorMs * (1 + 0.1 * random()));
}

/** A proxy that answered CONNECT with anything but 200. */
export class ProxyRefusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`proxy answered ${status}`);
    this.status = status;
  }
}

interface Problem {
  code: string;
  condition: Condition;
  message: string;
  kind?: ExitName;
  hint?: string;
  timedOut?: true;
}

/**
 * The failure of a request that got no response. @param sent whether it had been written by then
 * @throws the error itself if it is not a network error: that is a bug
 */
export function networkFailure(error: unknown, sent: boolean, facts: RequestFacts): AttemptFailure {
  const refused = error instanceof ProxyRefusal;
  const problem = refused ? proxyProblem(error, facts) : problemOf(connectionCode(error), sent, facts);
  if (problem === undefined) throw error;
  return {
    kind: 'network',
    hint: 'docs doctor',
    ...problem,
    outcome: sent ? 'unknown' : 'not-sent',
    reason: problem.code.replaceAll('_', ' '),
    retryable: problem.condition !== 'unsafe' && problem.condition !== 'final',
    cause: error,
  };
}

/** undici's own codes, as the codes that Node or the transport would give. Made on a failure, as other tables here. */
const undiciCodes = (): Readonly<Record<string, string>> => ({
  UND_ERR_CONNECT_TIMEOUT: 'CONNECT_TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'HEADERS_TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'BODY_TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'HPE_HEADER_OVERFLOW',
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_DESTROYED: 'CLOSED',
  UND_ERR_CLOSED: 'CLOSED',
  UND_ERR_PRX_TLS: 'ERR_TLS_CERT_ALTNAME_INVALID',
  UND_ERR_REQ_RETRY: 'RANGE_MISMATCH',
});

/** The code of an error of the connection, whichever library it came from. */
export function connectionCode(error: unknown): string | undefined {
  const code = systemCode(error);
  if (code === 'UND_ERR_SOCKET' && (error as Error).message === 'bad upgrade') return 'UPGRADE';
  return code === undefined ? undefined : (undiciCodes()[code] ?? code);
}

/** Whether a code comes from the operating system, such as ECONNRESET; EPROTO comes from TLS. */
function isSystemError(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code) && code !== 'EPROTO';
}

function problemOf(code: string | undefined, sent: boolean, facts: RequestFacts): Problem | undefined {
  if (code === undefined || code.startsWith('UND_')) return undefined;
  if (code === 'CLOSED') {
    const message = 'the connection was closed';
    return { kind: 'interrupted', code: 'aborted', condition: 'final', message };
  }
  return sent ? problemOfAnswer(code, facts) : problemOfConnection(code, facts);
}

function problemOfConnection(code: string, facts: RequestFacts): Problem | undefined {
  const where = whereOf(facts);
  const host = new URL(facts.origin).hostname;
  if (code === 'ENOTFOUND' || code === 'EAI_NONAME' || code === 'EAI_NODATA') {
    const name = facts.proxy === undefined ? host : `of the proxy ${facts.proxy}`;
    return unreached('dns_unknown', `the host name ${name} is unknown`, { condition: 'name-unknown' });
  }
  if (code.startsWith('EAI_')) return unreached('dns_busy', `the host name ${host} could not be resolved`);
  if (code === 'ECONNREFUSED') {
    if (!facts.loopback) return unreached('connection_refused', `the connection to ${where} was refused`);
    const message = `nothing is listening at ${where}`;
    const more = { condition: 'refused-on-loopback', hint: 'docs sandbox start' } as const;
    return unreached('connection_refused', message, more);
  }
  if (code === 'CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return unreached('connect_timeout', `connecting to ${where} timed out`, { timedOut: true });
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return unreached('reset', `the connection to ${where} was reset before the request was sent`);
  if (isSystemError(code)) return unreached('unreachable', `${where} is unreachable (${code})`);
  return tlsProblem(code, where);
}

function unreached(code: string, message: string, more: Partial<Problem> = {}): Problem {
  return { code, condition: 'not-connected', message, ...more };
}

function problemOfAnswer(code: string, facts: RequestFacts): Problem | undefined {
  const where = whereOf(facts);
  if (code.endsWith('_TIMEOUT')) {
    const message = `${where} did not respond in time`;
    return { code: 'headers_timeout', condition: 'no-answer', message, timedOut: true };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'the response header is larger than 16 KB';
    return { kind: 'bad-response', code: 'header_too_large', condition: 'unsafe', message };
  }
  if (code === 'UPGRADE') {
    const message = `${where} unexpectedly answered 101 Switching Protocols`;
    return { kind: 'bad-response', code: 'not_http', condition: 'unsafe', message };
  }
  if (code === 'HPE_INVALID_EOF_STATE' || isSystemError(code)) {
    const message = `the connection to ${where} was reset before a response arrived`;
    return { code: 'reset', condition: 'no-answer', message };
  }
  if (code.startsWith('HPE_') || code === 'RANGE_MISMATCH') {
    const message = `the response from ${where} is not valid HTTP`;
    return { kind: 'bad-response', code: 'not_http', condition: 'unsafe', message };
  }
  return tlsProblem(code, where);
}

const trustAdvice =
  'If your network has a certificate authority of its own, pass its file with --ca-file or NODE_EXTRA_CA_CERTS.';

/** Codes of OpenSSL and of Node's TLS; other ERR_ codes are bugs. */
function tlsProblem(code: string, where: string): Problem | undefined {
  if (/^ERR_(?!TLS_|SSL_|OSSL_)/.test(code)) return undefined;
  const certificate = !/^(EPROTO|ERR_SSL_|ERR_OSSL_)/.test(code);
  const untrusted = /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|CERT_UNTRUSTED/.test(code)
    ? `. ${trustAdvice}`
    : '';
  const message = certificate
    ? `the certificate of ${where} is not trusted (${code})${untrusted}`
    : `the secure connection to ${where} failed (${code})`;
  return { code: 'tls', condition: 'unsafe', message };
}

function proxyProblem({ status }: ProxyRefusal, facts: RequestFacts): Problem {
  if (status === 407) {
    const message = `proxy authentication failed: ${facts.proxy ?? 'the proxy'} answered 407`;
    return { code: 'proxy_auth', condition: 'final', message };
  }
  const message = `the proxy ${facts.proxy ?? ''} refused to connect to ${facts.origin} (${status})`;
  return { code: 'proxy_refused', condition: status >= 500 ? 'not-connected' : 'final', message };
}

/** Longest message of the platform that goes into an error, in characters. */
const longestMessage = 500;

/** A response whose status is not a success, with as much of its body as arrived. */
export interface Refused {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

interface Meaning {
  kind: ExitName;
  code: string;
  /** Used if the platform sends no message. */
  says(what: string, status: number): string;
  hint(facts: RequestFacts): string;
}

const notFound: Meaning = {
  kind: 'not-found',
  code: 'not_found',
  says: (what) => `not found: ${what}`,
  hint: (facts) => facts.subject?.listCommand ?? 'docs auth status',
};

const conflict: Meaning = {
  kind: 'conflict',
  code: 'conflict',
  says: (what, status) => `conflict (${status}): ${what}`,
  hint: showHint,
};

const refused: Meaning = {
  kind: 'refused',
  code: 'refused',
  says: (what, status) => `the platform rejected the request (${status}): ${what}`,
  hint: (facts) => facts.subject?.showCommand ?? 'docs help exit-codes',
};

const serverError: Meaning = {
  kind: 'server-error',
  code: 'server_error',
  says: (_, status) => `server error (${status})`,
  hint: () => 'docs doctor',
};

/** Statuses with a meaning of their own. */
const meanings: Readonly<Record<number, Meaning>> = {
  401: {
    kind: 'unauthenticated',
    code: 'unauthenticated',
    says: () => 'the platform rejected the token',
    hint: () => 'docs auth login',
  },
  403: {
    kind: 'forbidden',
    code: 'forbidden',
    says: (what) => `permission denied: ${what}`,
    hint: () => 'docs auth status',
  },
  404: notFound,
  407: {
    kind: 'network',
    code: 'proxy_auth',
    says: () => 'proxy authentication failed: a proxy on the way answered 407',
    hint: () => 'docs doctor',
  },
  409: conflict,
  410: notFound,
  412: conflict,
  423: conflict,
  429: {
    kind: 'rate-limited',
    code: 'rate_limited',
    says: () => 'rate limit exceeded',
    hint: () => 'docs doctor',
  },
};

/** The failure that a status stands for (platform-facts, "Errors"). @param nowMs our clock */
export function statusFailure(answer: Refused, facts: RequestFacts, nowMs: number): AttemptFailure {
  const { status, headers } = answer;
  if (status < 400) return notAnError(answer, facts);
  const { kind, code, says, hint } = meanings[status] ?? (status < 500 ? refused : serverError);
  const condition = conditionOf(status, retryAfterMs(headers, nowMs) !== undefined);
  return {
    kind,
    code,
    message: platformMessage(answer.body) ?? says(whatOf(facts), status),
    hint: hint(facts),
    condition,
    outcome: outcomeOf(status, condition === 'refused-for-now', facts.effect),
    reason: status === 429 ? 'rate limit (429)' : `${code.replaceAll('_', ' ')} (${status})`,
    retryable: condition !== 'final',
    floorMs: askedWaitMs(status, headers, nowMs),
    ...identity(answer),
  };
}

/** Status and, if known, request id. */
export function identity({ status, headers }: { status: number; headers: Headers }) {
  return { status, requestId: requestIdOf(headers) };
}

function outcomeOf(status: number, refusedForNow: boolean, effect: Effect): Outcome {
  if (effect === 'read' || refusedForNow) return 'refused';
  return status >= 500 || status === 408 || status === 425 ? 'unknown' : 'refused';
}

/** Redirects are never followed, and an undeclared success is a failure (RELIABILITY.md, "Secrets and origins"). */
function notAnError(answer: Refused, facts: RequestFacts): AttemptFailure {
  const { status, headers } = answer;
  const unusable = {
    kind: 'bad-response',
    hint: 'docs doctor',
    condition: 'final',
    retryable: false,
  } as const;
  const base = { ...unusable, ...identity(answer) };
  if (status >= 300 && status !== 304) {
    const to = redirectTarget(headers.location, facts.origin);
    const message = `refused redirect to ${to}`;
    const outcome = facts.effect === 'read' ? 'refused' : 'unknown';
    const details = { location: to };
    return { ...base, code: 'refused_redirect', message, outcome, reason: 'redirect', details };
  }
  const message = `unexpected status ${status}`;
  return { ...base, code: 'unexpected_status', message, outcome: 'done', reason: `status ${status}` };
}

/** The target of a redirect, without credentials and query, which may contain secrets. */
function redirectTarget(location: string | undefined, origin: string): string {
  try {
    const url = new URL(location ?? '', origin);
    return location === undefined ? 'nowhere' : `${url.origin}${url.pathname}`.slice(0, 200);
  } catch {
    return 'something that is not a URL';
  }
}

/** The platform's message (`{"error": {"message"}}`), without what looks secret, cut to 500 characters. */
function platformMessage(body: Uint8Array): string | undefined {
  const parsed = jsonIn(Buffer.from(body).toString('utf8'));
  const message = member(member(parsed, 'error'), 'message') ?? member(parsed, 'message');
  if (typeof message !== 'string' || message.trim() === '') return undefined;
  const shown = redactText(message);
  return shown.length <= longestMessage ? shown : `${shown.slice(0, longestMessage - 1)}…`;
}

function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
