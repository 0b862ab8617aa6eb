import type { ExitName, Outcome } from '../../base/errors.js';
import { redactText } from '../../base/redaction.js';
import { defined, isObject } from '../../base/values.js';
import type { Headers } from './contract.js';
import { type AttemptFailure, type RequestFacts, showHint, whatOf } from './failure.js';
import { askedWaitMs, retryAfterMs } from './rate-limit.js';
import { conditionOf, type Effect } from './retry-table.js';

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
  says: (what) => `Not found: ${what}.`,
  hint: (facts) => facts.subject?.listCommand ?? 'docs auth status',
};

const conflict: Meaning = {
  kind: 'conflict',
  code: 'conflict',
  says: (what, status) => `Conflict (${status}): ${what}.`,
  hint: showHint,
};

const refused: Meaning = {
  kind: 'refused',
  code: 'refused',
  says: (what, status) => `The platform rejected the request (${status}): ${what}.`,
  hint: (facts) => facts.subject?.showCommand ?? 'docs help exit-codes',
};

const serverError: Meaning = {
  kind: 'server-error',
  code: 'server_error',
  says: (_, status) => `Server error (${status}).`,
  hint: () => 'docs doctor',
};

/** Statuses with a meaning of their own. */
const meanings: Readonly<Record<number, Meaning>> = {
  401: {
    kind: 'unauthenticated',
    code: 'unauthenticated',
    says: () => 'The platform rejected the token.',
    hint: () => 'docs auth login',
  },
  403: {
    kind: 'forbidden',
    code: 'forbidden',
    says: (what) => `Permission denied: ${what}.`,
    hint: () => 'docs auth status',
  },
  404: notFound,
  407: {
    kind: 'network',
    code: 'proxy_auth',
    says: () => 'Proxy authentication failed: a proxy on the way answered 407.',
    hint: () => 'docs doctor',
  },
  409: conflict,
  410: notFound,
  412: conflict,
  423: conflict,
  429: {
    kind: 'rate-limited',
    code: 'rate_limited',
    says: () => 'Rate limit exceeded.',
    hint: () => 'docs doctor',
  },
};

/** The failure that a status stands for (exit-codes.ts; platform-facts, "Errors"). @param nowMs our clock */
export function statusFailure(answer: Refused, facts: RequestFacts, nowMs: number): AttemptFailure {
  const { status, headers } = answer;
  if (status < 400) return notAnError(answer, facts);
  const { kind, code, says, hint } = meanings[status] ?? (status < 500 ? refused : serverError);
  const condition = conditionOf(status, retryAfterMs(headers, nowMs) !== undefined);
  return defined({
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
  });
}

/** Status and, if known, request id. */
export function identity({ status, headers }: { status: number; headers: Headers }) {
  return { status, ...defined({ requestId: requestIdOf(headers) }) };
}

/** The platform's id of the request. */
export function requestIdOf(headers: Headers): string | undefined {
  return headers['x-request-id']?.slice(0, 200) || undefined;
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
    const message = `Refused redirect to ${to}.`;
    const outcome = facts.effect === 'read' ? 'refused' : 'unknown';
    const details = { location: to };
    return { ...base, code: 'refused_redirect', message, outcome, reason: 'redirect', details };
  }
  const message = `Unexpected status ${status}.`;
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
  if (body.length === 0) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const message = member(member(parsed, 'error'), 'message') ?? member(parsed, 'message');
    if (typeof message !== 'string' || message.trim() === '') return undefined;
    const shown = redactText(message);
    return shown.length <= longestMessage ? shown : `${shown.slice(0, longestMessage - 1)}…`;
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
