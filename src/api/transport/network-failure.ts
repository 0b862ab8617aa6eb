import type { ExitName } from '../../base/errors.js';
import { systemCode } from '../../base/system-errors.js';
import { type AttemptFailure, type RequestFacts, whereOf } from './failure.js';
import type { Condition } from './retry-table.js';

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

/** undici's own codes, as the codes that Node or the transport would give. */
const undiciCodes: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'CONNECT_TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'HEADERS_TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'BODY_TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'HPE_HEADER_OVERFLOW',
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_DESTROYED: 'CLOSED',
  UND_ERR_CLOSED: 'CLOSED',
  UND_ERR_PRX_TLS: 'ERR_TLS_CERT_ALTNAME_INVALID',
  UND_ERR_REQ_RETRY: 'RANGE_MISMATCH',
};

/** The code of an error of the connection, whichever library it came from. */
export function connectionCode(error: unknown): string | undefined {
  const code = systemCode(error);
  if (code === 'UND_ERR_SOCKET' && (error as Error).message === 'bad upgrade') return 'UPGRADE';
  return code === undefined ? undefined : (undiciCodes[code] ?? code);
}

/** Whether a code comes from the operating system, such as ECONNRESET; EPROTO comes from TLS. */
function isSystemError(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code) && code !== 'EPROTO';
}

function problemOf(code: string | undefined, sent: boolean, facts: RequestFacts): Problem | undefined {
  if (code === undefined || code.startsWith('UND_')) return undefined;
  if (code === 'CLOSED') {
    const message = 'The connection was closed.';
    return { kind: 'interrupted', code: 'aborted', condition: 'final', message };
  }
  return sent ? problemOfAnswer(code, facts) : problemOfConnection(code, facts);
}

function problemOfConnection(code: string, facts: RequestFacts): Problem | undefined {
  const where = whereOf(facts);
  const host = new URL(facts.origin).hostname;
  if (code === 'ENOTFOUND' || code === 'EAI_NONAME' || code === 'EAI_NODATA') {
    const name = facts.proxy === undefined ? host : `of the proxy ${facts.proxy}`;
    return unreached('dns_unknown', `The host name ${name} is unknown.`, { condition: 'name-unknown' });
  }
  if (code.startsWith('EAI_')) return unreached('dns_busy', `The host name ${host} could not be resolved.`);
  if (code === 'ECONNREFUSED') {
    if (!facts.loopback) return unreached('connection_refused', `The connection to ${where} was refused.`);
    const message = `Nothing is listening at ${where}.`;
    const more = { condition: 'refused-on-loopback', hint: 'docs sandbox start' } as const;
    return unreached('connection_refused', message, more);
  }
  if (code === 'CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return unreached('connect_timeout', `Connecting to ${where} timed out.`, { timedOut: true });
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return unreached('reset', `The connection to ${where} was reset before the request was sent.`);
  if (isSystemError(code)) return unreached('unreachable', `${where} is unreachable (${code}).`);
  return tlsProblem(code, where);
}

function unreached(code: string, message: string, more: Partial<Problem> = {}): Problem {
  return { code, condition: 'not-connected', message, ...more };
}

function problemOfAnswer(code: string, facts: RequestFacts): Problem | undefined {
  const where = whereOf(facts);
  if (code.endsWith('_TIMEOUT')) {
    const message = `${where} did not respond in time.`;
    return { code: 'headers_timeout', condition: 'no-answer', message, timedOut: true };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The response header is larger than 16 KB.';
    return { kind: 'bad-response', code: 'header_too_large', condition: 'unsafe', message };
  }
  if (code === 'UPGRADE') {
    const message = `${where} unexpectedly answered 101 Switching Protocols.`;
    return { kind: 'bad-response', code: 'not_http', condition: 'unsafe', message };
  }
  if (code === 'HPE_INVALID_EOF_STATE' || isSystemError(code)) {
    const message = `The connection to ${where} was reset before a response arrived.`;
    return { code: 'reset', condition: 'no-answer', message };
  }
  if (code.startsWith('HPE_') || code === 'RANGE_MISMATCH') {
    const message = `The response from ${where} is not valid HTTP.`;
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
  const untrusted = /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|CERT_UNTRUSTED/.test(code) ? ` ${trustAdvice}` : '';
  const message = certificate
    ? `The certificate of ${where} is not trusted (${code}).${untrusted}`
    : `The secure connection to ${where} failed (${code}).`;
  return { code: 'tls', condition: 'unsafe', message };
}

function proxyProblem({ status }: ProxyRefusal, facts: RequestFacts): Problem {
  if (status === 407) {
    const message = `Proxy authentication failed: ${facts.proxy ?? 'the proxy'} answered 407.`;
    return { code: 'proxy_auth', condition: 'final', message };
  }
  const message = `The proxy ${facts.proxy ?? ''} refused to connect to ${facts.origin} (${status}).`;
  return { code: 'proxy_refused', condition: status >= 500 ? 'not-connected' : 'final', message };
}
