import { DocsError } from '../../errors.js';
import type { Io } from '../../io.js';
import { bodyBreak, bodyFailure, largestErrorBody } from './answer.js';
import { watchStop } from './attempt.js';
import { checkSecurity, isLoopback, parseUrl } from './base-url.js';
import { type ByteStream, type Opened, StreamReceiver } from './byte-stream.js';
import { conclude, stopFailure } from './conclusion.js';
import type { DownloadHead, DownloadOptions } from './contract.js';
import type { Deadline } from './deadline.js';
import { type Dispatch, type DispatchRequest, Exchange } from './exchange.js';
import type { RequestFacts, Verdict } from './failure.js';
import { networkFailure } from './network-failure.js';
import { redactQuery } from './redaction.js';
import { type RetryPolicy, withRetries } from './retry.js';
import { identity, statusFailure } from './status-failure.js';
import type { Trace } from './trace.js';

const mostRedirects = 5;

/** What downloads need of the transport. */
export interface DownloadContext {
  io: Io;
  policy: RetryPolicy;
  userAgent: string;
  trace: Trace | undefined;
  /** The way to an origin, and the proxy on it; adds the token where it belongs. */
  route(origin: string): Promise<{ dispatch: Dispatch; proxy: string | undefined }>;
  /** @param part the head has a limit of its own; the bytes have only the command's */
  deadline(part: 'head' | 'bytes', signal: AbortSignal | undefined): Deadline;
}

interface Begun {
  head: DownloadHead;
  stream: ByteStream;
  facts: RequestFacts;
}

/**
 * Starts a download and passes its bytes on (contract.ts, `Transport.download`).
 * @throws DocsError configuration `insecure_url` or `invalid_url`; what requests throw; while reading,
 *   `cut_short`, `stalled`, `deadline`, `aborted`
 */
export async function download(
  context: DownloadContext,
  text: string,
  options: DownloadOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const url = checkUrl(text);
  const deadline = context.deadline('head', options.signal);
  try {
    const facts = factsOf(url, undefined);
    const { value, attempts } = await withRetries(context.policy, deadline, facts, () =>
      begin(context, url, deadline),
    );
    options.onHead?.(value.head);
    return bytesOf(context, value, attempts, options);
  } finally {
    deadline.close();
  }
}

/** One attempt: follows redirects until an answer that is none. */
async function begin(context: DownloadContext, first: URL, deadline: Deadline): Promise<Verdict<Begun>> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const { dispatch, proxy } = await context.route(url.origin);
    const facts = factsOf(url, proxy);
    const opened = await open(context, url, dispatch, facts, deadline);
    if (opened.type === 'stream') return accept(opened, facts);
    const { head, body, error, end } = opened.received;
    if (head === undefined) {
      if (end !== 'stopped' || deadline.stop === undefined) {
        return { ok: false, failure: networkFailure(error, opened.sent, facts) };
      }
      return {
        ok: false,
        failure: stopFailure(deadline.stop, deadline, opened.sent ? 'unknown' : 'not-sent'),
      };
    }
    const next = redirects < mostRedirects ? redirectOf(head, url) : undefined;
    if (next === undefined)
      return { ok: false, failure: statusFailure({ ...head, body }, facts, context.io.now()) };
    url = next;
  }
}

async function open(
  context: DownloadContext,
  url: URL,
  dispatch: Dispatch,
  facts: RequestFacts,
  deadline: Deadline,
): Promise<Opened & { sent: boolean }> {
  const receiver = new StreamReceiver(largestErrorBody);
  const exchange = new Exchange(receiver);
  const request: DispatchRequest = {
    method: 'GET',
    path: url.pathname + url.search,
    headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': context.userAgent },
    body: null,
  };
  const startMs = context.io.now();
  context.trace?.request(facts.origin, request);
  const release = watchStop({ io: context.io, graceMs: 0 }, deadline, facts, exchange, () => receiver.stop());
  dispatch(request, exchange);
  const opened = await receiver.opened;
  release();
  const seen =
    opened.type === 'answer'
      ? opened.received
      : {
          head: { status: opened.status, headers: opened.headers },
          body: new Uint8Array(0),
          end: 'whole' as const,
        };
  context.trace?.received(seen, context.io.now() - startMs);
  return { ...opened, sent: exchange.sent };
}

function accept(opened: Extract<Opened, { type: 'stream' }>, facts: RequestFacts): Verdict<Begun> {
  const { status, headers, stream } = opened;
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') {
    stream.stop(undefined);
    return { ok: false, failure: bodyFailure({ code: 'unexpected_encoding' }, opened, facts) };
  }
  const length = /^\d+$/.test(headers['content-length'] ?? '')
    ? Number(headers['content-length'])
    : undefined;
  return {
    ok: true,
    value: { head: { status, headers, ...(length !== undefined && { length }) }, stream, facts },
  };
}

async function* bytesOf(
  context: DownloadContext,
  { head, stream, facts }: Begun,
  attempts: number,
  { signal, onProgress }: DownloadOptions,
): AsyncGenerator<Uint8Array> {
  const deadline = context.deadline('bytes', signal);
  const history = { attempts, unknown: false, paid: 0 };
  stream.explainWith((error) => conclude(bodyFailure(bodyBreak(error), head, facts), history, facts));
  const onStop = () => {
    if (deadline.stop === undefined) return;
    const failure = { ...stopFailure(deadline.stop, deadline, 'unknown'), ...identity(head) };
    stream.stop(conclude(failure, history, facts));
  };
  if (deadline.stop === undefined) deadline.signal.addEventListener('abort', onStop, { once: true });
  else onStop();
  let done = 0;
  try {
    for await (const chunk of stream) {
      done += chunk.length;
      onProgress?.(done, head.length);
      yield chunk;
    }
  } finally {
    deadline.signal.removeEventListener('abort', onStop);
    deadline.close();
  }
}

/** Where a redirect leads that may be followed; statusFailure tells of the others. */
function redirectOf(head: DownloadHead, from: URL): URL | undefined {
  const { location } = head.headers;
  if (head.status < 300 || head.status > 399 || head.status === 304 || location === undefined)
    return undefined;
  try {
    const to = new URL(location, from);
    if (to.username !== '' || to.password !== '') return undefined;
    const local = isLoopback(from.hostname) && isLoopback(to.hostname);
    return to.protocol === 'https:' || (local && to.protocol === 'http:') ? to : undefined;
  } catch {
    return undefined;
  }
}

function checkUrl(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined) throw invalid('The platform gave a download address that is not a URL.');
  if (url.username !== '' || url.password !== '') throw invalid('The download address holds credentials.');
  checkSecurity(url);
  return url;
}

function invalid(message: string): DocsError {
  return new DocsError('bad-response', 'invalid_url', message, { outcome: 'not-sent', hint: 'docs doctor' });
}

function factsOf(url: URL, proxy: string | undefined): RequestFacts {
  return {
    method: 'GET',
    path: redactQuery(url.pathname + url.search),
    resource: url.pathname,
    origin: url.origin,
    loopback: isLoopback(url.hostname),
    effect: 'read',
    subject: { what: `the download from ${url.origin}` },
    ...(proxy !== undefined && { proxy }),
  };
}
