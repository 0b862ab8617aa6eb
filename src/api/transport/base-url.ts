import { DocsError } from '../../errors.js';

/** Addresses that mean "any", not a host: a request to them goes who knows where. */
const anyAddresses = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]']);

/**
 * Whether a host name, as a parsed URL writes it, is this machine: 127.0.0.0/8, ::1, localhost
 * (RELIABILITY.md, "Secrets and origins").
 */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/**
 * Checks an address that requests, and the token, may go to: https, or http to loopback; no
 * credentials, query or fragment; not 0.0.0.0 or [::].
 * @param text as set by flag, environment or profile
 * @returns the URL, its path without a final slash (a bare `/` stays)
 * @throws DocsError configuration `invalid_url` or `insecure_url`; never repeats credentials
 */
export function checkBaseUrl(text: string): URL {
  const trimmed = text.trim();
  const shown = maskCredentials(trimmed);
  if (trimmed === '' || /[\s\\\p{Cc}]/u.test(trimmed))
    throw refuse('invalid_url', `"${shown}" is not a URL.`);
  const url = parseUrl(trimmed);
  if (url === undefined) throw refuse('invalid_url', `"${shown}" is not a URL.`);
  if (url.username !== '' || url.password !== '') {
    throw refuse('invalid_url', `The base URL ${shown} must not hold credentials.`);
  }
  if (trimmed.includes('?') || trimmed.includes('#')) {
    throw refuse('invalid_url', `The base URL ${url.origin} must end with its path, without a query.`);
  }
  checkSecurity(url);
  if (url.pathname !== '/') url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/**
 * Checks that a URL may be spoken to at all.
 * @throws DocsError configuration `insecure_url`
 */
export function checkSecurity(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuse('insecure_url', `${url.protocol}// is not supported; use https.`);
  }
  if (anyAddresses.has(url.hostname)) {
    throw refuse('insecure_url', `${url.hostname} is no address to send requests to.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refuse('insecure_url', `${url.origin} is not encrypted; use https, as http is for loopback only.`);
  }
}

/** What stands before the path of every request: the base URL's own path, without a final slash. */
export function pathPrefix(base: URL): string {
  return base.pathname.replace(/\/+$/, '');
}

/** An absolute URL, or undefined where the text is none. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Hides everything between the scheme and the last `@`, and what is too long to be an address. */
export function maskCredentials(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, '$1[redacted]@').slice(0, 200);
}

function refuse(code: string, message: string): DocsError {
  return new DocsError('configuration', code, message, { outcome: 'not-sent', hint: 'docs config list' });
}
