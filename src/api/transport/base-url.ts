import { DocsError } from '../../base/errors.js';

/** Addresses that mean "any", not a host. */
const anyAddresses = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]']);

/** Whether a host name is this machine: localhost, ::1, 127.0.0.0/8 (RELIABILITY.md, "Secrets and origins"). */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|\[::1\]|::1|127(\.\d{1,3}){3})$/.test(hostname);
}

/**
 * Checks a base URL: https, or http to loopback; no credentials, query or fragment; not 0.0.0.0 or [::].
 * @returns the URL, its path without a final slash (a bare `/` stays)
 * @throws DocsError configuration `invalid_url` or `insecure_url`; never echoes credentials
 */
export function checkBaseUrl(text: string): URL {
  const trimmed = text.trim();
  const shown = maskCredentials(trimmed);
  const url = /[\s\\\p{Cc}]/u.test(trimmed) ? undefined : parseUrl(trimmed);
  if (url === undefined) throw refuse('invalid_url', `"${shown}" is not a URL.`);
  if (url.username !== '' || url.password !== '') {
    throw refuse('invalid_url', `The base URL ${shown} must not contain credentials.`);
  }
  if (trimmed.includes('?') || trimmed.includes('#')) {
    throw refuse('invalid_url', `The base URL ${url.origin} must not have a query or fragment.`);
  }
  checkSecurity(url);
  if (url.pathname !== '/') url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** @throws DocsError configuration `insecure_url` if requests must not be sent to a URL */
export function checkSecurity(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuse('insecure_url', `${url.protocol}// is not supported; use https.`);
  }
  if (anyAddresses.has(url.hostname)) {
    throw refuse('insecure_url', `${url.hostname} is not a valid destination; use localhost or a host name.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refuse('insecure_url', `${url.origin} is not encrypted; use https (http is only for loopback).`);
  }
}

/** The prefix of every request path: the base URL's own path, without a final slash. */
export function pathPrefix(base: URL): string {
  return base.pathname.replace(/\/+$/, '');
}

/** Parses an absolute URL; undefined if the text is not one. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Hides everything between the scheme and the last `@`; cuts what is too long for an address. */
export function maskCredentials(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, '$1[redacted]@').slice(0, 200);
}

function refuse(code: string, message: string): DocsError {
  return new DocsError('configuration', code, message, { outcome: 'not-sent', hint: 'docs config list' });
}
