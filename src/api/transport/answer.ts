import type { Headers, TransportRequest, TransportResponse } from './contract.js';
import type { AttemptFailure, RequestFacts, Verdict } from './failure.js';
import { parseJson } from './json-text.js';
import { connectionCode, isSystemError } from './network-failure.js';
import { dateMs } from './rate-limit.js';
import { identity, requestIdOf, statusFailure } from './status-failure.js';

/** The largest body that is read, in bytes (RELIABILITY.md, "Time, memory, signals"). */
export const largestBody = 64 * 1024 * 1024;

/** Of the body of an error only its sentence is wanted. */
export const largestErrorBody = 64 * 1024;

/** A status, its header, and the body as far as it came. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Uint8Array;
  /** Why the body did not come whole. */
  broken?: BodyBreak;
}

export interface BodyBreak {
  code: 'cut_short' | 'stalled' | 'too_large' | 'not_http';
  cause?: unknown;
}

/** Whether a status is what the caller asked for. */
export function isSuccess(status: number, expect: readonly number[] | undefined): boolean {
  return expect === undefined ? status >= 200 && status < 300 : expect.includes(status);
}

/**
 * Checks an answer: status, wholeness, content type, JSON. Nothing of an unusable body is repeated in
 * errors.
 * @param nowMs our clock
 */
export function readAnswer(
  answer: Answer,
  request: Pick<TransportRequest, 'read' | 'expect'>,
  facts: RequestFacts,
  nowMs: number,
): Verdict<Omit<TransportResponse, 'attempts'>> {
  const { status, headers } = answer;
  if (!isSuccess(status, request.expect)) {
    return { ok: false, failure: statusFailure(answer, facts, nowMs) };
  }
  if (request.read === 'nothing' || status === 204 || status === 205) return respond(answer, undefined);
  const broken = answer.broken ?? encodingBreak(headers);
  if (broken !== undefined) return { ok: false, failure: bodyFailure(broken, answer, facts) };
  if (request.read === 'bytes') return respond(answer, answer.body);
  return readJson(answer, facts);
}

/** The failure of a body that is not whole or not usable, after a status that is a success. */
export function bodyFailure(
  broken: { code: keyof typeof bodyProblems; cause?: unknown },
  answer: { status: number; headers: Headers },
  facts: RequestFacts,
): AttemptFailure {
  const transient = broken.code === 'cut_short' || broken.code === 'stalled';
  const problem = bodyProblems[broken.code];
  return {
    kind: broken.code === 'stalled' ? 'network' : 'bad-response',
    code: broken.code,
    message: facts.effect === 'read' ? problem : `${problem} The change itself was made.`,
    hint: facts.effect === 'read' ? 'docs doctor' : (facts.subject?.showCommand ?? 'docs doctor'),
    condition: transient ? 'broken-body' : 'final',
    outcome: 'done',
    reason: `answer ${broken.code.replaceAll('_', ' ')}`,
    retryable: transient && facts.effect === 'read',
    ...(broken.code === 'stalled' && { timedOut: true }),
    ...identity(answer),
    ...(broken.cause !== undefined && { cause: broken.cause }),
  };
}

/** Why a body ended early. */
export function bodyBreak(error: unknown): BodyBreak {
  const code = connectionCode(error);
  if (code === undefined) throw error;
  if (code === 'BODY_TIMEOUT') return { code: 'stalled', cause: error };
  if (code === 'HPE_INVALID_EOF_STATE' || isSystemError(code)) return { code: 'cut_short', cause: error };
  if (code.startsWith('HPE_')) return { code: 'not_http', cause: error };
  return { code: 'cut_short', cause: error };
}

const bodyProblems = {
  cut_short: 'The answer was cut short.',
  stalled: 'The answer stopped coming midway.',
  too_large: 'The answer is larger than 64 MB.',
  too_deep: 'The answer is nested over 1,000 levels deep.',
  not_http: 'The answer breaks the rules of HTTP.',
  not_json: 'The answer is not JSON, as it should be.',
  web_page: 'The answer is a web page, not JSON; the base URL may be wrong, or a login page in between.',
  unexpected_encoding: 'The answer is compressed, although that was not asked for.',
} as const;

function readJson(answer: Answer, facts: RequestFacts): Verdict<Omit<TransportResponse, 'attempts'>> {
  const type = answer.headers['content-type'];
  if (type !== undefined && !isJsonType(type)) {
    const page = /^\s*(text\/html|application\/xhtml)/i.test(type);
    const failure = bodyFailure({ code: page ? 'web_page' : 'not_json' }, answer, facts);
    return {
      ok: false,
      failure: { ...failure, code: 'not_json', details: { contentType: type.slice(0, 100) } },
    };
  }
  const parsed = parseJson(answer.body);
  if (!parsed.ok) return { ok: false, failure: bodyFailure({ code: parsed.code }, answer, facts) };
  return respond(answer, parsed.value);
}

function isJsonType(type: string): boolean {
  return type === 'application/json' || /^\s*application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type);
}

/** A content coding other than none: it was not asked for, and its size cannot be known. */
function encodingBreak(headers: Headers): { code: 'unexpected_encoding' } | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  return coding === undefined || coding === '' || coding === 'identity'
    ? undefined
    : { code: 'unexpected_encoding' };
}

function respond(answer: Answer, body: unknown): Verdict<Omit<TransportResponse, 'attempts'>> {
  const { status, headers } = answer;
  const requestId = requestIdOf(headers);
  const ms = dateMs(headers);
  return {
    ok: true,
    value: {
      status,
      headers,
      body,
      ...(requestId !== undefined && { requestId }),
      ...(ms !== undefined && { dateMs: ms }),
    },
  };
}
