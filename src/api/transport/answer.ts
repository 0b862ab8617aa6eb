import { defined } from '../../base/values.js';
import type { Answered, Headers, TransportRequest } from './contract.js';
import type { AttemptFailure, RequestFacts, Verdict } from './failure.js';
import { parseJson } from './json-text.js';
import { connectionCode } from './network-failure.js';
import { dateMs } from './rate-limit.js';
import type { Redaction } from './redaction.js';
import { identity, requestIdOf, statusFailure } from './status-failure.js';

/** Maximum size of a body, in bytes (RELIABILITY.md, "Time, memory, signals"). */
export const largestBody = 64 * 1024 * 1024;

/** The part of an error body that is read, for its message, in bytes. */
export const largestErrorBody = 64 * 1024;

/** Status, headers, and as much of the body as arrived. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Uint8Array;
  /** Why the body is incomplete. */
  broken?: BodyBreak;
}

export interface BodyBreak {
  code: 'cut_short' | 'stalled' | 'too_large' | 'not_http';
  cause?: unknown;
}

/** Whether a status counts as success. */
export function isSuccess(status: number, expect: readonly number[] | undefined): boolean {
  return expect === undefined ? status >= 200 && status < 300 : expect.includes(status);
}

/**
 * Checks status, completeness, content type and JSON, and takes the secrets of this process out. Errors never
 * quote an unusable body.
 */
export function readAnswer(
  received: Answer,
  request: Pick<TransportRequest, 'read' | 'expect'>,
  facts: RequestFacts,
  nowMs: number,
  redaction: Redaction,
): Verdict<Answered> {
  const answer = { ...received, headers: redaction.headers(received.headers) };
  const { status, headers } = answer;
  if (!isSuccess(status, request.expect)) {
    const body = redaction.errorBody(answer.body);
    return { ok: false, failure: statusFailure({ ...answer, body }, facts, nowMs) };
  }
  if (request.read === 'nothing' || status === 204 || status === 205) return respond(answer, undefined);
  const broken = answer.broken ?? encodingBreak(headers);
  if (broken !== undefined) return { ok: false, failure: bodyFailure(broken, answer, facts) };
  if (request.read === 'bytes') return respond(answer, redaction.bytes(answer.body));
  return readJson(answer, facts, redaction);
}

/** The failure of an incomplete or unusable body after a successful status. */
export function bodyFailure(
  broken: { code: keyof typeof bodyProblems; cause?: unknown },
  answer: { status: number; headers: Headers },
  facts: RequestFacts,
): AttemptFailure {
  const problem = bodyProblems[broken.code];
  const stalled = broken.code === 'stalled';
  const transient = stalled || broken.code === 'cut_short';
  return {
    kind: stalled ? 'network' : 'bad-response',
    code: broken.code,
    message: facts.effect === 'read' ? problem : `${problem} The change was made.`,
    hint: facts.effect === 'read' ? 'docs doctor' : (facts.subject?.showCommand ?? 'docs doctor'),
    condition: transient ? 'broken-body' : 'final',
    outcome: 'done',
    reason: `answer ${broken.code.replaceAll('_', ' ')}`,
    retryable: transient && facts.effect === 'read',
    ...defined({ timedOut: stalled || undefined, cause: broken.cause }),
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

const bodyProblems = {
  cut_short: 'The response was cut short.',
  stalled: 'The response stalled.',
  too_large: 'The response is larger than 64 MB.',
  too_deep: 'The response is nested more than 1,000 levels deep.',
  not_http: 'The response is not valid HTTP.',
  not_json: 'The response is not JSON.',
  web_page:
    'The response is a web page, not JSON; the base URL may be wrong, or a login page may be in between.',
  unexpected_encoding: 'The response is compressed, although compression was not requested.',
  repeats_token: 'The response repeats the token in pieces, which docs cannot remove.',
} as const;

function readJson(answer: Answer, facts: RequestFacts, redaction: Redaction): Verdict<Answered> {
  const type = answer.headers['content-type'];
  if (type !== undefined && !isJsonType(type)) {
    const page = /^\s*(text\/html|application\/xhtml)/i.test(type);
    const failure = bodyFailure({ code: page ? 'web_page' : 'not_json' }, answer, facts);
    const details = { contentType: type.slice(0, 100) };
    return { ok: false, failure: { ...failure, code: 'not_json', details } };
  }
  const parsed = parseJson(answer.body);
  // Without a length, the end of the connection ends the body, whether all of it came or not.
  if (!parsed.ok && parsed.code === 'not_json' && !isFramed(answer.headers))
    return { ok: false, failure: bodyFailure({ code: 'cut_short' }, answer, facts) };
  if (!parsed.ok) return { ok: false, failure: bodyFailure({ code: parsed.code }, answer, facts) };
  const clean = redaction.json(parsed.value, answer.body);
  if (clean === undefined)
    return { ok: false, failure: bodyFailure({ code: 'repeats_token' }, answer, facts) };
  return respond(answer, clean.value);
}

function isFramed(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
}

/** A content coding: none was requested, and the decoded size would be unknown. */
function encodingBreak(headers: Headers): { code: 'unexpected_encoding' } | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  return coding === 'identity' ? undefined : { code: 'unexpected_encoding' };
}

function respond(answer: Answer, body: unknown): Verdict<Answered> {
  const { status, headers } = answer;
  const known = defined({ requestId: requestIdOf(headers), dateMs: dateMs(headers) });
  return { ok: true, value: { status, headers, body, ...known } };
}
