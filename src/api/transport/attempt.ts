import { sentences } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { redactText } from '../../base/redaction.js';
import type { Headers, TransportRequest, TransportResponse } from './contract.js';
import {
  type BodyLimit,
  BoundedBody,
  type Connections,
  type DispatchRequest,
  type Exchange,
  type Received,
} from './exchange.js';
import {
  type AttemptFailure,
  connectionCode,
  identity,
  networkFailure,
  type RequestFacts,
  statusFailure,
  type Verdict,
} from './failure.js';
import type { JsonLines } from './json-lines.js';
import { jsonText, parseJson } from './json-text.js';
import { type Deadline, dateMs, requestIdOf } from './pacing.js';
import { isSecretName, type Redaction, redactJson, redactQuery } from './redaction.js';
import { stopFailure } from './retry.js';

/** Maximum size of a body, in bytes (RELIABILITY.md, "Time, memory, signals"). */
const largestBody = 64 * 1024 * 1024;

/** The part of an error body that is read, for its message, in bytes. */
export const largestErrorBody = 64 * 1024;

/** Status, headers, and as much of the body as arrived. */
interface Answer {
  status: number;
  headers: Headers;
  body: Uint8Array;
  /** Why the body is incomplete. */
  broken?: BodyBreak;
}

interface BodyBreak {
  code: 'cut_short' | 'stalled' | 'too_large' | 'not_http';
  cause?: unknown;
}

/** Whether a status counts as success. */
function isSuccess(status: number, expect: readonly number[] | undefined): boolean {
  return expect === undefined ? status >= 200 && status < 300 : expect.includes(status);
}

/**
 * Checks status, completeness, content type and JSON, and takes the secrets of this process out. Errors never
 * quote an unusable body.
 */
export function readAnswer(
  received: Answer,
  request: ResponseRules,
  facts: RequestFacts,
  nowMs: number,
  redaction: Redaction,
): Verdict<TransportResponse> {
  const { status, broken: cut } = received;
  const headers = redaction.headers(received.headers);
  const answer = { status, headers, body: received.body, broken: cut };
  if (!isSuccess(status, request.expect)) {
    const body = redaction.errorBody(answer.body);
    return { ok: false, failure: statusFailure({ ...answer, body }, facts, nowMs) };
  }
  if (request.read === 'nothing' || status === 204 || status === 205) return respond(answer, undefined);
  const broken = cut ?? encodingBreak(headers);
  if (broken !== undefined) return { ok: false, failure: bodyFailure(broken, answer, facts) };
  if (request.read === 'bytes') return respond(answer, redaction.bytes(answer.body));
  return readJson(answer, request, facts, redaction);
}

/** The failure of an incomplete or unusable body after a successful status. */
export function bodyFailure(
  broken: { code: keyof ReturnType<typeof bodyProblems>; cause?: unknown },
  answer: { status: number; headers: Headers },
  facts: RequestFacts,
): AttemptFailure {
  const problem = bodyProblems()[broken.code];
  const stalled = broken.code === 'stalled';
  const transient = stalled || broken.code === 'cut_short';
  return {
    kind: stalled ? 'network' : 'bad-response',
    code: broken.code,
    message: facts.effect === 'read' ? problem : sentences(problem, 'The change was made'),
    hint: facts.effect === 'read' ? 'docs doctor' : (facts.subject?.showCommand ?? 'docs doctor'),
    condition: transient ? 'broken-body' : 'final',
    outcome: 'done',
    reason: `answer ${broken.code.replaceAll('_', ' ')}`,
    retryable: transient && facts.effect === 'read',
    timedOut: stalled,
    cause: broken.cause,
    ...identity(answer),
  };
}

/** Why a body is incomplete. */
export function bodyBreak(error: unknown): BodyBreak {
  const code = connectionCode(error);
  if (code === undefined) throw error;
  if (code === 'BODY_TIMEOUT') return { code: 'stalled', cause: error };
  const isInvalid = code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE';
  return { code: isInvalid ? 'not_http' : 'cut_short', cause: error };
}

/** Made on a failure alone. */
const bodyProblems = () => ({
  cut_short: 'the response was cut short',
  stalled: 'the response stalled',
  too_large: 'the response is larger than 64 MB',
  too_deep: 'the response is nested more than 1,000 levels deep',
  not_http: 'the response is not valid HTTP',
  not_json: 'the response is not JSON',
  web_page:
    'the response is a web page, not JSON; the base URL may be wrong, or a login page may be in between',
  unexpected_encoding: 'the response is compressed, although compression was not requested',
  repeats_token: 'the response repeats the token in pieces, which docs cannot remove',
});

function readJson(
  answer: Answer,
  { room }: ResponseRules,
  facts: RequestFacts,
  redaction: Redaction,
): Verdict<TransportResponse> {
  const type = answer.headers['content-type'];
  if (type !== undefined && !isJsonType(type)) {
    const page = /^\s*(text\/html|application\/xhtml)/i.test(type);
    const failure = bodyFailure({ code: page ? 'web_page' : 'not_json' }, answer, facts);
    const details = { contentType: type.slice(0, 100) };
    return { ok: false, failure: { ...failure, code: 'not_json', details } };
  }
  const lines = room?.lines((part) => redaction.mayBeIn(part));
  if (lines !== undefined) return respond(answer, undefined, lines);
  const text = jsonText(answer.body);
  const parsed = parseJson(answer.body, text);
  // Without a length, the end of the connection ends the body, whether all of it came or not.
  if (!parsed.ok && parsed.code === 'not_json' && !isFramed(answer.headers))
    return { ok: false, failure: bodyFailure({ code: 'cut_short' }, answer, facts) };
  if (!parsed.ok) return { ok: false, failure: bodyFailure({ code: parsed.code }, answer, facts) };
  const clean = redaction.json(parsed.value, text);
  if (clean === undefined)
    return { ok: false, failure: bodyFailure({ code: 'repeats_token' }, answer, facts) };
  return respond(answer, clean.value);
}

function isFramed(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function isJsonType(type: string): boolean {
  if (type === 'application/json' || type.startsWith('application/json;')) return true;
  return /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
}

/** A content coding: none was requested, and the decoded size would be unknown. */
function encodingBreak(headers: Headers): { code: 'unexpected_encoding' } | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  return coding === 'identity' ? undefined : { code: 'unexpected_encoding' };
}

function respond(answer: Answer, body: unknown, lines?: JsonLines): Verdict<TransportResponse> {
  const { status, headers } = answer;
  const [requestId, ms] = [requestIdOf(headers), dateMs(headers)];
  const value = { status, headers, body, lines, requestId, dateMs: ms, attempts: 1 };
  return { ok: true, value };
}

/** What an attempt needs besides the request. */
interface AttemptContext {
  io: Io;
  connections: Connections;
  graceMs: number;
  trace: Trace | undefined;
  redaction: Redaction;
}

type ResponseRules = Pick<TransportRequest, 'read' | 'expect' | 'room'>;

/** What sends a request once and judges the response. It never throws for what the network or the platform does. */
export function attemptOf(
  context: AttemptContext,
  outgoing: DispatchRequest,
  wanted: ResponseRules,
  facts: RequestFacts,
  deadline: Deadline,
): () => Promise<Verdict<TransportResponse>> {
  const { io, connections, trace, redaction } = context;
  return async () => {
    const exchange = new BoundedBody((status) => limitOf(status, wanted), wanted.room);
    const startMs = io.now();
    trace?.request(facts.origin, outgoing);
    const release = stopWithDeadline(context, deadline, facts, exchange);
    connections.dispatch(outgoing, exchange);
    const received = await exchange.received;
    release();
    trace?.received(received, io.now() - startMs);
    return judge(received, exchange.sent, wanted, facts, deadline, io.now, redaction);
  };
}

/**
 * Cancels the exchange when its deadline or an interrupt stops it: at once, unless it is a write that was
 * sent and interrupted, which gets `graceMs` to report its outcome (RELIABILITY.md, "Time, memory, signals").
 * @returns stops watching the deadline
 */
export function stopWithDeadline(
  { io, graceMs, trace }: Pick<AttemptContext, 'io' | 'graceMs' | 'trace'>,
  deadline: Deadline,
  facts: RequestFacts,
  exchange: Exchange,
): () => void {
  let grace: AbortController | undefined;
  const giveUp = () => exchange.cancel();
  const stop = () => {
    const mayFinish = facts.effect !== 'read' && exchange.sent && deadline.stop?.by === 'abort';
    if (!mayFinish) return giveUp();
    trace?.note(`interrupted; this write has ${graceMs / 1000} s to be answered`);
    grace = new AbortController();
    io.sleep(Math.min(graceMs, deadline.remainingMs()), grace.signal).then(giveUp, () => {});
  };
  const forget = deadline.onStop(stop);
  return () => {
    forget();
    grace?.abort('over');
  };
}

/** The whole body of a success that is read; otherwise only what an error may quote. */
function limitOf(status: number, { read, expect }: ResponseRules): BodyLimit {
  return isSuccess(status, expect) && read !== 'nothing'
    ? { keep: largestBody, more: 'error' }
    : { keep: largestErrorBody, more: 'ignore' };
}

function judge(
  received: Received,
  sent: boolean,
  wanted: ResponseRules,
  facts: RequestFacts,
  deadline: Deadline,
  now: () => number,
  redaction: Redaction,
): Verdict<TransportResponse> {
  const { head, body, end, error } = received;
  const { stop } = deadline;
  if (end === 'stopped' && stop !== undefined) {
    const done = head !== undefined && isSuccess(head.status, wanted.expect);
    if (head === undefined || (done && wanted.read !== 'nothing')) {
      const outcome = done ? 'done' : sent ? 'unknown' : 'not-sent';
      return { ok: false, failure: stopFailure(stop, deadline, outcome) };
    }
  }
  if (head === undefined) return { ok: false, failure: networkFailure(error, sent, facts) };
  const broken =
    end === 'error' ? bodyBreak(error) : end === 'too_large' ? ({ code: 'too_large' } as const) : undefined;
  const { status, headers } = head;
  return readAnswer({ status, headers, body, broken }, wanted, facts, now(), redaction);
}

/** Maximum number of characters shown of a body. */
const longestBody = 16_384;

/** Shows what goes over the wire, for `--debug` and `DOCS_DEBUG`. */
export interface Trace {
  request(origin: string, request: DispatchRequest): void;
  received(received: Received, ms: number): void;
  note(text: string): void;
}

/**
 * All debug output goes through here, without secrets (RELIABILITY.md, "Secrets and origins").
 * @param redaction hides the token and whatever else must not appear in any encoding
 */
export function createTrace(
  debug: { body: boolean; write(line: string): void },
  redaction: Redaction,
): Trace {
  const line = (text: string) => debug.write(redactText(redaction.text(text)));
  // Hidden before it is cut, since the beginning of a secret would not be recognized.
  const bodyLine = (mark: string, text: string) => line(`${mark} ${shortened(redaction.cutText(text))}`);
  return {
    request(origin, { method, path, headers, body }) {
      line(`> ${method} ${origin}${redactQuery(path)}`);
      for (const header of headerLines(headers)) line(`> ${header}`);
      if (debug.body && body !== null) bodyLine('>', redactJson(body));
    },
    received({ head, body, end, error }, ms) {
      if (head === undefined) {
        line(`< no answer after ${Math.round(ms)} ms: ${end === 'stopped' ? 'stopped' : describe(error)}`);
        return;
      }
      line(
        `< ${head.status} after ${Math.round(ms)} ms, ${body.length} bytes${end === 'whole' ? '' : `, ${end}`}`,
      );
      for (const header of headerLines(head.headers)) line(`< ${header}`);
      if (debug.body && body.length > 0) bodyLine('<', bodyText(head.headers, body));
    },
    note: (text) => line(`* ${text}`),
  };
}

/** Omits the Authorization header and hides other values that look secret. */
function headerLines(headers: Headers): string[] {
  return Object.entries(headers)
    .filter(([name]) => name !== 'authorization')
    .map(([name, value]) => `${name}: ${isSecretName(name) ? '[redacted]' : redactQuery(value)}`);
}

function bodyText(headers: Headers, body: Uint8Array): string {
  const type = headers['content-type'] ?? '';
  if (!/json|text|xml|form/i.test(type)) return `(${body.length} bytes of ${type || 'unknown type'})`;
  return redactJson(Buffer.from(body).toString('utf8'));
}

function shortened(text: string): string {
  if (text.length <= longestBody) return text;
  return `${text.slice(0, longestBody)}… (${text.length - longestBody} characters more)`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code} ` : '';
  return `${code}${error.message}`;
}
