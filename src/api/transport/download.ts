import { Readable } from 'node:stream';
import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { checkSecurity, isLoopback, parseUrl } from './address.js';
import { bodyBreak, bodyFailure, largestErrorBody, stopWithDeadline, type Trace } from './attempt.js';
import type { DownloadHead, DownloadOptions, Headers } from './contract.js';
import {
  BoundedBody,
  ConnectionClosed,
  type Controller,
  type DispatchRequest,
  type Received,
} from './exchange.js';
import {
  type AttemptFailure,
  identity,
  networkFailure,
  type Refused,
  type RequestFacts,
  statusFailure,
  type Verdict,
} from './failure.js';
import type { Deadline } from './pacing.js';
import { type Redaction, redactQuery } from './redaction.js';
import { conclude, type RetryPolicy, stopFailure, waitForNext, withRetries } from './retry.js';
import { refusalOf, type UndiciConnections } from './undici-connections.js';

const mostRedirects = 5;

/** What a download needs from the transport. */
export interface DownloadContext {
  io: Io;
  policy: RetryPolicy;
  userAgent: string;
  trace: Trace | undefined;
  redaction: Redaction;
  /** Whether the platform is on this machine; only then may its files be. */
  local: boolean;
  /** Connections to an origin; they add the token where it belongs. */
  connect(origin: string): Promise<UndiciConnections>;
  /** @param part the head has a time limit of its own; the bytes have only the command's */
  deadline(part: 'head' | 'bytes', signal: AbortSignal | undefined): Deadline;
}

interface Begun {
  head: DownloadHead;
  stream: ByteStream;
  facts: RequestFacts;
}

/**
 * Starts a download and streams its bytes (contract.ts, `Transport.download`).
 * @throws DocsError `insecure_url`, `invalid_url`, what requests throw; while reading, `cut_short` or `stalled`
 */
export async function download(
  context: DownloadContext,
  text: string,
  options: DownloadOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const url = checkUrl(text, context.local);
  const deadline = context.deadline('head', options.signal);
  try {
    const attempt = () => followRedirects(context, url, deadline);
    const facts = factsOf(url, undefined, context.redaction);
    const { value, attempts } = await withRetries(context.policy, deadline, facts, attempt);
    options.onHead?.(value.head);
    return context.redaction.stream(bytesOf(context, value, attempts, options));
  } finally {
    deadline.close();
  }
}

/** One attempt: follows redirects to a file or to the response that fails it. */
async function followRedirects(
  context: DownloadContext,
  first: URL,
  deadline: Deadline,
): Promise<Verdict<Begun>> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const connections = await context.connect(url.origin);
    const facts = factsOf(url, connections.proxy, context.redaction);
    const opened = await open(context, url, connections, facts, deadline);
    if (opened.type === 'stream') return accept(context, opened, facts);
    const { head, body, error, end } = opened.received;
    if (head === undefined) {
      const failure =
        end === 'stopped' && deadline.stop !== undefined
          ? stopFailure(deadline.stop, deadline, opened.sent ? 'unknown' : 'not-sent')
          : networkFailure(error, opened.sent, facts);
      return { ok: false, failure };
    }
    const next = redirects < mostRedirects ? redirectOf(head, url) : undefined;
    if (next === undefined) return { ok: false, failure: refusal(context, { ...head, body }, facts) };
    await context.policy.pacing.turn(deadline.signal, deadline.remainingMs());
    url = next;
  }
}

async function open(
  { io, userAgent, trace }: DownloadContext,
  url: URL,
  connections: UndiciConnections,
  facts: RequestFacts,
  deadline: Deadline,
): Promise<Opened & { sent: boolean }> {
  const exchange = new StreamExchange(largestErrorBody);
  const request: DispatchRequest = {
    method: 'GET',
    path: url.pathname + url.search,
    headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': userAgent },
    body: null,
  };
  const mayResume = async (error: unknown) => {
    const mayResumeStream = await exchange.stream?.mayResume;
    return mayResumeStream?.(error) ?? false;
  };
  const startMs = io.now();
  trace?.request(facts.origin, request);
  const release = stopWithDeadline({ io, graceMs: 0, trace }, deadline, facts, exchange);
  connections.dispatchResumable(request, exchange, mayResume);
  const opened = await exchange.opened;
  release();
  trace?.received(receivedOf(opened), io.now() - startMs);
  return { ...opened, sent: exchange.sent };
}

/** What the trace shows of a response: of a stream, only the head has arrived. */
function receivedOf(opened: Opened): Received {
  if (opened.type === 'answer') return opened.received;
  const { status, headers } = opened;
  return { head: { status, headers }, body: new Uint8Array(0), end: 'whole' };
}

function refusal({ redaction, io }: DownloadContext, answer: Refused, facts: RequestFacts): AttemptFailure {
  const { status, headers, body } = answer;
  const shown = { status, headers: redaction.headers(headers), body: redaction.errorBody(body) };
  return statusFailure(shown, facts, io.now());
}

function accept(
  { redaction }: DownloadContext,
  opened: Extract<Opened, { type: 'stream' }>,
  facts: RequestFacts,
): Verdict<Begun> {
  const { status, stream } = opened;
  const headers = redaction.headers(opened.headers);
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') {
    stream.destroy();
    return { ok: false, failure: bodyFailure({ code: 'unexpected_encoding' }, opened, facts) };
  }
  const { 'content-length': length = '' } = headers;
  const head = { status, headers, ...(/^\d+$/.test(length) && { length: Number(length) }) };
  return { ok: true, value: { head, stream, facts } };
}

async function* bytesOf(
  context: DownloadContext,
  { head, stream, facts }: Begun,
  attempts: number,
  { signal, onProgress }: DownloadOptions,
): AsyncGenerator<Uint8Array> {
  const { io, policy, trace } = context;
  const deadline = context.deadline('bytes', signal);
  const history = { attempts, unknown: false, paid: 0 };
  const explain = (error: unknown) => conclude(bodyFailure(bodyBreak(error), head, facts), history, facts);
  let done = 0;
  const mayResume = async (error: unknown) => {
    const failure = resumptionFailure(error, facts, io.now());
    if ((await waitForNext(policy, deadline, facts, history, failure)) !== undefined) return false;
    history.attempts += 1;
    trace?.note(`resuming: ${failure.reason}`);
    return true;
  };
  const checkLength = (isWrong: (length: number) => boolean) => {
    if (head.length !== undefined && isWrong(head.length))
      throw explain(new ConnectionClosed('RANGE_MISMATCH'));
  };
  stream.resumeIf(mayResume);
  const onStop = () => {
    if (deadline.stop === undefined) return;
    const failure = { ...stopFailure(deadline.stop, deadline, 'unknown'), ...identity(head) };
    stream.destroy(conclude(failure, history, facts));
  };
  const forget = deadline.onStop(onStop);
  onStop();
  try {
    for await (const chunk of stream) {
      done += chunk.length;
      // A continuation may be longer than what was missing.
      checkLength((length) => done > length);
      onProgress?.(done, head.length);
      yield chunk;
    }
    if (stream.broken !== undefined) throw explain(stream.broken.error);
    checkLength((length) => done < length);
    policy.quota.refund(history.paid);
  } finally {
    forget();
    deadline.close();
  }
}

function resumptionFailure(error: unknown, facts: RequestFacts, nowMs: number): AttemptFailure {
  const refused = refusalOf(error);
  return refused === undefined
    ? networkFailure(error, true, facts)
    : statusFailure({ ...refused, body: new Uint8Array(0) }, facts, nowMs);
}

/** The target of a redirect that may be followed; statusFailure reports the others. */
function redirectOf(head: DownloadHead, from: URL): URL | undefined {
  const { location } = head.headers;
  if (head.status < 300 || head.status > 399 || head.status === 304 || location === undefined)
    return undefined;
  try {
    const to = new URL(location, from);
    if (to.username !== '' || to.password !== '') return undefined;
    if (isLoopback(to.hostname))
      return isLoopback(from.hostname) && /^https?:$/.test(to.protocol) ? to : undefined;
    return to.protocol === 'https:' ? to : undefined;
  } catch {
    return undefined;
  }
}

function checkUrl(text: string, local: boolean): URL {
  const url = parseUrl(text);
  if (url === undefined) throw invalid('the download address from the platform is not a URL');
  if (url.username !== '' || url.password !== '')
    throw invalid('the download address from the platform contains credentials');
  checkSecurity(url);
  if (!local && isLoopback(url.hostname)) {
    const message = `the download address from the platform is on this machine (${url.origin})`;
    throw new DocsError('bad-response', 'local_url', message, { outcome: 'not-sent', hint: 'docs doctor' });
  }
  return url;
}

function invalid(message: string): DocsError {
  return new DocsError('bad-response', 'invalid_url', message, { outcome: 'not-sent', hint: 'docs doctor' });
}

function factsOf(url: URL, proxy: string | undefined, redaction: Redaction): RequestFacts {
  return {
    method: 'GET',
    path: redaction.text(redactQuery(url.pathname + url.search)),
    resource: redaction.text(url.pathname),
    origin: url.origin,
    loopback: isLoopback(url.hostname),
    effect: 'read',
    subject: { what: `the download from ${url.origin}` },
    proxy,
  };
}

/** Bytes buffered for a slow reader before the sender is paused. */
const mostBuffered = 256 * 1024;

/** How a download began: with a stream, or with a response that has no file. */
type Opened =
  | { type: 'stream'; status: number; headers: Headers; stream: ByteStream }
  | { type: 'answer'; received: Received };

/** Waits for the next attempt of a download that broke off; false where there is none. */
type MayResume = (error: unknown) => Promise<boolean>;

/** The bytes of a response as they arrive; pauses the sender while the reader is slower. */
class ByteStream extends Readable {
  /** Known as soon as somebody reads it. */
  readonly mayResume: Promise<MayResume>;
  resumeIf: (mayResume: MayResume) => void = () => {};
  /** Why it broke off; the reader still gets the bytes that arrived before. */
  broken: { error: unknown } | undefined;
  readonly #controller: Controller;
  #isPaused = false;

  constructor(controller: Controller) {
    super({ highWaterMark: mostBuffered });
    this.#controller = controller;
    this.mayResume = new Promise((resolve) => {
      this.resumeIf = resolve;
    });
  }

  override _read(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#controller.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.readableEnded) this.#controller.abort(new Error('The reader stopped.'));
    done(error);
  }

  receive(chunk: Uint8Array): void {
    // undici may still deliver the body of a refused continuation.
    if (this.broken !== undefined || this.destroyed) {
      this.#controller.abort(new Error('The stream has failed.'));
    } else if (!this.push(chunk)) {
      this.#isPaused = true;
      this.#controller.pause();
    }
  }

  end(): void {
    this.push(null);
  }

  fail(error: unknown): void {
    if (this.broken !== undefined || this.destroyed) return;
    this.broken = { error };
    this.push(null);
  }
}

/** Opens a stream for a complete file; collects the start of any other response. */
class StreamExchange extends BoundedBody {
  readonly opened: Promise<Opened>;
  #stream: ByteStream | undefined;
  #open: (opened: Opened) => void = () => {};

  /** @param keep bytes kept of any other response */
  constructor(keep: number) {
    super(() => ({ keep, more: 'ignore' }));
    this.opened = new Promise((resolve) => {
      this.#open = resolve;
    });
    this.received.then((received) => this.#open({ type: 'answer', received }));
  }

  /** The stream, once it was opened. */
  get stream(): ByteStream | undefined {
    return this.#stream;
  }

  protected override head(status: number, headers: Headers, controller: Controller): void {
    // 206 is a part of a file, and none was asked for.
    if (status < 200 || status > 299 || status === 206) {
      super.head(status, headers, controller);
      return;
    }
    this.#stream = new ByteStream(controller);
    this.#open({ type: 'stream', status, headers, stream: this.#stream });
  }

  protected override data(chunk: Uint8Array): void {
    if (this.#stream === undefined) super.data(chunk);
    else this.#stream.receive(chunk);
  }

  protected override end(): void {
    if (this.#stream === undefined) super.end();
    else this.#stream.end();
  }

  protected override error(error: unknown): void {
    if (this.#stream === undefined) super.error(error);
    else this.#stream.fail(error);
  }
}
