import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { DocsError } from '../base/errors.js';
import { isPublicAddress } from '../base/public-address.js';

interface Fetched {
  bytes: Uint8Array;
  /** The server's media type with its parameters. */
  contentType?: string;
}

export interface FetchLimits {
  /** From the name lookup to the last byte; default 15 s. */
  timeoutMs?: number;
  mostBytes?: number;
  /** Which addresses to connect to; default those of the public internet. */
  allows?: (address: string) => boolean;
  /** Finds the addresses of a name; default the system's lookup. */
  lookup?: LookupFunction;
}

/**
 * Fetches a document from the public internet (RELIABILITY.md, "The sandbox"). Addresses are checked in the
 * lookup that the connection uses, so a second lookup cannot return another one. Refuses redirects, drops
 * credentials in the URL, and uses neither proxies nor kept connections.
 * @throws DocsError refused with 400: `fetch_timeout` after the time limit, else `fetch_failed`
 */
export async function fetchPublic(url: string, limits: FetchLimits = {}): Promise<Fetched> {
  const { timeoutMs = 15_000, mostBytes = 10 * 1024 * 1024, allows = isPublicAddress } = limits;
  const target = parse(url);
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
  // An address in the URL itself is not looked up.
  if (isIP(host) !== 0 && !allows(host)) {
    throw failure('fetch_failed', target, `${host} is not a public address`);
  }
  const timeUp = AbortSignal.timeout(timeoutMs);
  const { Agent, request } = await import('undici');
  const lookup = checkedLookup(limits.lookup ?? (lookUp as LookupFunction), allows);
  const dispatcher = new Agent({ connect: { lookup, timeout: timeoutMs }, maxHeaderSize: 16_384 });
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'docs-sandbox' };
  try {
    const response = await request(target.origin + target.pathname + target.search, {
      dispatcher,
      headers,
      signal: timeUp,
      reset: true,
    });
    return await readAnswer(response, mostBytes);
  } catch (cause) {
    if (timeUp.aborted) {
      throw failure('fetch_timeout', target, `no complete response within ${timeoutMs / 1000} s`, cause);
    }
    throw failure('fetch_failed', target, (cause as Error).message, cause);
  } finally {
    await dispatcher.destroy();
  }
}

function parse(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  if (target?.protocol === 'http:' || target?.protocol === 'https:') return target;
  const message = `${JSON.stringify(url)} is not an http or https URL`;
  throw new DocsError('refused', 'fetch_failed', message, { status: 400 });
}

/** A lookup that fails if any address of the name is closed, even if another one is public. */
function checkedLookup(lookup: LookupFunction, allows: (address: string) => boolean): LookupFunction {
  return (name, options, done) => {
    lookup(name, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const closed = error ? undefined : addresses.find((address) => !allows(address));
      if (closed === undefined) done(error, found, family);
      else done(new Error(`${name} resolves to ${closed}, which is not a public address`), []);
    });
  };
}

async function readAnswer(response: Dispatcher.ResponseData, mostBytes: number): Promise<Fetched> {
  refuseAnswer(response, mostBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk);
  }
  const contentType = response.headers['content-type'];
  return { bytes: Buffer.concat(chunks), ...(typeof contentType === 'string' && { contentType }) };
}

function refuseAnswer({ statusCode, headers }: Dispatcher.ResponseData, mostBytes: number): void {
  if (statusCode >= 300 && statusCode < 400) throw new Error('redirects are not followed');
  if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`);
  if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new Error(`the server answered with content encoding ${encoding}`);
}

function tooLarge(mostBytes: number): Error {
  return new Error(`the response is larger than ${mostBytes} bytes`);
}

function failure(code: 'fetch_failed' | 'fetch_timeout', { origin }: URL, why: string, cause?: unknown) {
  return new DocsError('refused', code, `cannot fetch from ${origin}: ${why}`, { status: 400, cause });
}
