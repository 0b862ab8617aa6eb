import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, RetryHandler as RetryTypes } from 'undici';
import errors from 'undici/lib/core/errors.js';
import RetryHandler from 'undici/lib/handler/retry-handler.js';
import type { Headers } from './contract.js';
import { ConnectionClosed, type Exchange } from './exchange.js';

/** What tells one version of a file from another (RFC 9110, 8.8). */
interface Version {
  name: 'etag' | 'last-modified';
  value: string;
}

type Options = Dispatcher.DispatchOptions;

/**
 * Sends a GET; where its body breaks off, undici's RetryHandler asks for the rest (`Range`). Only files
 * with a strong ETag or Last-Modified are resumed, so that parts of two versions are never joined: the
 * server sends the rest only of the same version (`If-Range`), and anything else fails.
 * @param mayResume waits for the next attempt; false where there is none
 */
export function dispatchResumable(
  agent: Dispatcher,
  options: Options,
  exchange: Exchange,
  mayResume: (error: unknown) => Promise<boolean>,
): void {
  const file: { version?: Version | undefined } = {};
  const retry: RetryTypes.RetryCallback = (error, _context, proceed) => {
    if (file.version === undefined) proceed(error);
    else void mayResume(error).then((may) => proceed(may ? null : error), proceed);
  };
  const handler = new ResumingHandler(
    { ...options, retryOptions: { throwOnError: false, retry } },
    {
      handler: exchange,
      dispatch: (next, nextHandler) => agent.dispatch(rangeOf(next, file.version), nextHandler),
    },
    file,
  );
  agent.dispatch(options, handler);
}

class ResumingHandler extends RetryHandler {
  readonly #file: { version?: Version | undefined };
  #begun = false;

  constructor(
    options: ConstructorParameters<typeof RetryHandler>[0],
    handlers: RetryTypes.RetryHandlers,
    file: { version?: Version | undefined },
  ) {
    super(options, handlers);
    this.#file = file;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    const { version } = this.#file;
    if (!this.#begun) {
      this.#begun = true;
      if (status === 200) this.#file.version = versionOf(headers);
    } else if (status === 206 && version !== undefined) {
      const now = headers[version.name];
      if (now !== undefined && now !== version.value) throw new ConnectionClosed('RANGE_MISMATCH');
    }
    const { onResponseStart }: Dispatcher.DispatchHandler = RetryHandler.prototype;
    onResponseStart?.call(this, controller, status, headers, message);
  }
}

/** undici sends If-Match, and only for ETags; a server that has a new version would answer 412 or ignore it. */
function rangeOf(options: Options, version: Version | undefined): Options {
  const { 'if-match': _, range = 'bytes=0-', ...headers } = options.headers as Record<string, string>;
  return { ...options, headers: { ...headers, range, ...(version && { 'if-range': version.value }) } };
}

/** A strong validator: a strong ETag, else a Last-Modified at least one second before the response. */
function versionOf(headers: IncomingHttpHeaders): Version | undefined {
  const { etag, date, 'last-modified': modified, 'accept-ranges': ranges } = headers;
  if (ranges === 'none') return undefined;
  if (etag !== undefined) return etag.startsWith('"') ? { name: 'etag', value: etag } : undefined;
  if (modified === undefined || date === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= 1000
    ? { name: 'last-modified', value: modified }
    : undefined;
}

/** The response that refused to continue a download, if one did. */
export function refusalOf(error: unknown): { status: number; headers: Headers } | undefined {
  if (!(error instanceof errors.RequestRetryError)) return undefined;
  return { status: error.statusCode, headers: error.headers as Headers };
}
