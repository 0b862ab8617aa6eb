import { lookup as lookUp } from 'node:dns';
import { get as getPlain, type IncomingMessage, type RequestOptions } from 'node:http';
import { get as getSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { DocsError } from '../errors.js';
import { isPublicAddress } from './public-address.js';

/** What a public address answered. */
export interface Fetched {
  bytes: Uint8Array;
  /** Media type as the server gave it, parameters and all. */
  contentType?: string;
}

export interface FetchLimits {
  /** For the whole of it, from the look-up of the name to the last byte; 15 s. */
  timeoutMs?: number;
  /** 10 MB. */
  mostBytes?: number;
  /** Which addresses may be connected to; those of the public internet. */
  allows?: (address: string) => boolean;
  /** Finds the addresses of a name; the system's. */
  lookup?: LookupFunction;
}

/**
 * Fetches one document from the public internet (RELIABILITY.md, "The sandbox"). The address is
 * checked where the connection is made, on the very answer of the look-up that it uses, so that no
 * second look-up can slip another one in. Redirects are refused, credentials in the URL are not sent,
 * no proxy is used and no connection is kept.
 * @throws DocsError, refusals with 400: `fetch_timeout` where the time is up, `fetch_failed` otherwise
 */
export async function fetchPublic(url: string, limits: FetchLimits = {}): Promise<Fetched> {
  const { timeoutMs = 15_000, mostBytes = 10 * 1024 * 1024 } = limits;
  const target = parse(url);
  const timeUp = AbortSignal.timeout(timeoutMs);
  try {
    const response = await request(target, timeUp, limits);
    return await readAnswer(response, mostBytes);
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    if (timeUp.aborted)
      throw failure('fetch_timeout', target, `no whole answer in ${timeoutMs / 1000} s`, cause);
    throw failure('fetch_failed', target, (cause as Error).message, cause);
  }
}

function parse(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol === 'http:' || target?.protocol === 'https:') return target;
  throw new DocsError('refused', 'fetch_failed', `${JSON.stringify(url)} is no http or https URL.`, {
    status: 400,
  });
}

function request(target: URL, signal: AbortSignal, limits: FetchLimits): Promise<IncomingMessage> {
  const { allows = isPublicAddress, lookup = lookUp as LookupFunction } = limits;
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
  // A literal address is connected to without a look-up.
  if (isIP(host) !== 0 && !allows(host))
    throw failure('fetch_failed', target, `${host} is no public address`);
  const options: RequestOptions = {
    ...{ host, port: target.port, path: target.pathname + target.search },
    headers: {
      host: target.host,
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'docs-sandbox',
    },
    ...{ agent: false, signal, maxHeaderSize: 16_384, lookup: checkedLookup(lookup, allows) },
  };
  const get = target.protocol === 'https:' ? getSecure : getPlain;
  return new Promise((resolve, reject) => {
    get(options, resolve).on('error', reject);
  });
}

/** A look-up that fails where any address of the name is closed: a public one does not make up for it. */
function checkedLookup(lookup: LookupFunction, allows: (address: string) => boolean): LookupFunction {
  return (name, options, done) => {
    lookup(name, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const closed = error ? undefined : addresses.find((address) => !allows(address));
      if (closed === undefined) done(error, found, family);
      else done(new Error(`${name} is at ${closed}, which is no public address`), []);
    });
  };
}

async function readAnswer(response: IncomingMessage, mostBytes: number): Promise<Fetched> {
  try {
    refuseAnswer(response, mostBytes);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`);
      chunks.push(chunk);
    }
    const contentType = response.headers['content-type'];
    return { bytes: Buffer.concat(chunks), ...(contentType !== undefined && { contentType }) };
  } finally {
    response.destroy();
  }
}

function refuseAnswer({ statusCode = 0, headers }: IncomingMessage, mostBytes: number): void {
  if (statusCode >= 300 && statusCode < 400) throw new Error('redirects are not followed');
  if (statusCode !== 200) throw new Error(`it answered ${statusCode}`);
  if (Number(headers['content-length'] ?? 0) > mostBytes) {
    throw new Error(`the answer is larger than ${mostBytes} bytes`);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new Error(`it answered in the encoding ${encoding}`);
}

function failure(
  code: 'fetch_failed' | 'fetch_timeout',
  { origin }: URL,
  why: string,
  cause?: unknown,
): DocsError {
  return new DocsError('refused', code, `Cannot fetch from ${origin}: ${why}.`, { status: 400, cause });
}
