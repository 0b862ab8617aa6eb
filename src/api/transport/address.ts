import {
  consistsOf,
  isDigits,
  isVisibleAscii,
  withoutFinalNewline,
  withoutFinalSlashes,
  wordCharacters,
} from '../../base/characters.js';
import { DocsError } from '../../base/errors.js';
import { decodePercent } from '../../base/values.js';
import type { TransportOptions } from './options.js';

/** What is asked of an address. */
export type Address = Readonly<
  Pick<URL, 'protocol' | 'host' | 'hostname' | 'port' | 'pathname' | 'origin' | 'href'>
>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where to connect; undici passes the same properties to its own connectors. */
export interface ConnectTarget {
  hostname: string;
  protocol: string;
  port: string;
}

/** Where an origin is connected to. */
export function targetOf(origin: string): ConnectTarget {
  const { hostname, protocol, port } = addressOf(origin);
  return { hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : hostname, protocol, port };
}

/** A proxy that opens tunnels (CONNECT). */
export interface HttpProxy {
  /** Without credentials. */
  url: URL;
  /** Value of `proxy-authorization`, if the setting has credentials. */
  authorization?: string;
}

/**
 * The proxy for a URL: `HTTPS_PROXY` or `HTTP_PROXY` by its scheme, unless `NO_PROXY` names the host;
 * lower case wins. Loopback never goes through one (RELIABILITY.md, "Proxies and certificates").
 * @throws DocsError configuration `invalid_proxy` if the setting that applies is malformed
 */
export function proxyFor(target: Address, environment: Environment): HttpProxy | undefined {
  if (isLoopback(target.hostname)) return undefined;
  const name = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const setting = setIn(environment, name);
  if (setting === undefined) return undefined;
  if (isExcepted(target, setIn(environment, 'no_proxy')?.value)) return undefined;
  return parseProxy(setting.name, setting.value);
}

/** Passwords of the proxies in an environment, whichever applies: a proxy may repeat its own. */
export function proxyPasswords(environment: Environment): string[] {
  const passwords: string[] = [];
  for (const variable of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY']) {
    const setting = environment[variable]?.trim() ?? '';
    const password = setting === '' ? '' : (parseUrl(withScheme(setting))?.password ?? '');
    if (password !== '') passwords.push(password, decodePercent(password));
  }
  return passwords;
}

function setIn(environment: Environment, name: string): { name: string; value: string } | undefined {
  for (const spelling of [name, name.toUpperCase()]) {
    const value = environment[spelling]?.trim();
    if (value !== undefined && value !== '') return { name: spelling, value };
  }
  return undefined;
}

function parseProxy(name: string, value: string): HttpProxy {
  const url = parseUrl(withScheme(value));
  if (url === undefined || url.hostname === '') throw invalid(name, value, 'is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const scheme = url.protocol.slice(0, -1);
    throw invalid(name, value, `has the scheme ${scheme}; only http and https are supported`);
  }
  const { username, password } = url;
  const bare = new URL(url.origin);
  if (username === '' && password === '') return { url: bare };
  try {
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { url: bare, authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  } catch {
    throw invalid(name, value, 'has credentials that are not percent-encoded');
  }
}

/** Adds the scheme that is often left out: `proxy.corp:3128`. */
function withScheme(value: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
}

/**
 * Whether `NO_PROXY` lists the host: domains (including subdomains), addresses and networks such as
 * 10.0.0.0/8, each with an optional port; `*` matches every host.
 */
function isExcepted(target: Address, list: string | undefined): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  return (list ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(entry, host);
  const [, name = entry, onlyPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const domain = name.replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  const { isIP } = process.getBuiltinModule('node:net');
  return domain !== '' && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
}

function isInNetwork(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const { BlockList, isIP } = process.getBuiltinModule('node:net');
  const family = isIP(network);
  const prefix = Number(bits);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || prefix > (family === 4 ? 32 : 128))
    return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  const networks = new BlockList();
  networks.addSubnet(network, prefix, kind);
  return networks.check(host, kind);
}

function invalid(name: string, value: string, what: string): DocsError {
  const shown = maskCredentials(value);
  const facts = { outcome: 'not-sent', hint: 'docs doctor' } as const;
  return new DocsError('configuration', 'invalid_proxy', `${name} (${shown}) ${what}`, facts);
}

/** Addresses that mean "any", not a host. */
const anyAddresses = new Set(['0.0.0.0', '[::]', '[::ffff:0:0]']);

/** Whether a host name is this machine: localhost, ::1, 127.0.0.0/8 (RELIABILITY.md, "Secrets and origins"). */
export function isLoopback(hostname: string): boolean {
  if (['localhost', '::1', '[::1]'].includes(hostname)) return true;
  const [first, ...others] = hostname.split('.');
  return first === '127' && others.length === 3 && others.every((part) => part.length < 4 && isDigits(part));
}

/**
 * Checks a base URL: https, or http to loopback; no credentials, query or fragment; not 0.0.0.0 or [::].
 * @returns the URL, its path without a final slash (a bare `/` stays)
 * @throws DocsError configuration `invalid_url` or `insecure_url`; never echoes credentials
 */
export function checkBaseUrl(text: string): Address {
  const trimmed = text.trim();
  const plain = plainAddress(withoutFinalSlashes(trimmed));
  if (plain !== undefined) {
    checkSecurity(plain);
    return plain;
  }
  const isOne = isVisibleAscii(trimmed) ? !trimmed.includes('\\') : !/[\s\\\p{Cc}]/u.test(trimmed);
  const url = isOne ? parseUrl(trimmed) : undefined;
  if (url === undefined) throw refuse('invalid_url', `"${maskCredentials(trimmed)}" is not a URL`);
  if (url.username !== '' || url.password !== '') {
    throw refuse('invalid_url', `the base URL ${maskCredentials(trimmed)} must not contain credentials`);
  }
  if (trimmed.includes('?') || trimmed.includes('#')) {
    throw refuse('invalid_url', `the base URL ${url.origin} must not have a query or fragment`);
  }
  checkSecurity(url);
  if (url.pathname !== '/') url.pathname = withoutFinalSlashes(url.pathname);
  return url;
}

/** @throws DocsError configuration `insecure_url` if requests must not be sent to a URL */
export function checkSecurity(url: Address): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuse('insecure_url', `${url.protocol}// is not supported; use https`);
  }
  if (anyAddresses.has(url.hostname)) {
    throw refuse('insecure_url', `${url.hostname} is not a valid destination; use localhost or a host name`);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refuse('insecure_url', `${url.origin} is not encrypted; use https (http is only for loopback)`);
  }
}

/** The prefix of every request path: the base URL's own path, without a final slash. */
export function pathPrefix(base: Address): string {
  return withoutFinalSlashes(base.pathname);
}

/** Parses an absolute URL; undefined if the text is not one. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The parts of an absolute URL. @throws TypeError if the text is not one */
export function addressOf(text: string): Address {
  return plainAddress(text) ?? new URL(text);
}

const hostCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789-.';
const pathCharacters = `${wordCharacters}-~./`;
const usualPorts: readonly string[] = ['80', '443'];

/**
 * What `URL` says of an address that it leaves as it is; undefined for any other. For the first one Node compiles what takes
 * 2 million instructions.
 */
function plainAddress(text: string): Address | undefined {
  const scheme = ['https://', 'http://'].find((one) => text.startsWith(one));
  if (scheme === undefined) return undefined;
  const slash = text.indexOf('/', scheme.length);
  const origin = slash < 0 ? text : text.slice(0, slash);
  const pathname = slash < 0 ? '/' : text.slice(slash);
  const host = origin.slice(scheme.length);
  const [hostname = '', port, ...more] = host.split(':');
  if (more.length > 0 || !isPlainHost(hostname) || !(port === undefined || isPlainPort(port)))
    return undefined;
  // `/./` and `/../` are taken out.
  if (!consistsOf(pathname, pathCharacters) || pathname.includes('/.')) return undefined;
  const protocol = scheme.slice(0, -2);
  return { protocol, host, hostname, port: port ?? '', pathname, origin, href: `${origin}${pathname}` };
}

/** A domain in lower case, or four numbers. What ends in a number otherwise, or begins like Punycode, URL rewrites. */
function isPlainHost(hostname: string): boolean {
  if (!consistsOf(hostname, hostCharacters)) return false;
  const labels = hostname.split('.');
  if (labels.some((label) => label === '' || label.startsWith('xn--'))) return false;
  if (!isDigits(labels.at(-1)?.charAt(0) ?? '')) return true;
  return labels.length === 4 && labels.every((label) => isPlainNumber(label) && Number(label) < 256);
}

function isPlainPort(port: string): boolean {
  return isPlainNumber(port) && Number(port) < 65_536 && !usualPorts.includes(port);
}

function isPlainNumber(text: string): boolean {
  return isDigits(text) && text.length < 6 && (text === '0' || !text.startsWith('0'));
}

/** Hides everything between the scheme and the last `@`; cuts what is too long for an address. */
export function maskCredentials(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/*)?.*@/is, '$1[redacted]@').slice(0, 200);
}

function refuse(code: string, message: string): DocsError {
  return new DocsError('configuration', code, message, { outcome: 'not-sent', hint: 'docs config list' });
}

const facts = { outcome: 'not-sent', hint: 'docs auth login' } as const;

/** Releases the token only to the origin it belongs to. */
export interface TokenGuard {
  /** The token without its final newline; undefined without a credential. */
  readonly token: string | undefined;
  /** The value of `authorization`. @throws DocsError configuration `wrong_origin` or `sandbox_token` */
  authorize(origin: string): string | undefined;
}

/** @throws DocsError unauthenticated `invalid_token` if the token cannot be put into a header */
export function guardToken(credential: TransportOptions['credential']): TokenGuard {
  if (credential === undefined) return { token: undefined, authorize: () => undefined };
  const token = checkToken(credential.token);
  const own = (plainAddress(credential.origin) ?? parseUrl(credential.origin))?.origin;
  const header = `Bearer ${token}`;
  // Each request asks, most of them for the same origin.
  let granted: string | undefined;
  return {
    token,
    authorize(origin) {
      const refused = origin === granted ? undefined : refusalFor(token, own, origin);
      if (refused !== undefined) throw refused;
      granted = origin;
      return header;
    },
  };
}

/** Trims one final newline; anything else beyond printable ASCII is rejected, and never echoed. */
function checkToken(text: string): string {
  const token = withoutFinalNewline(text);
  if (token !== '' && isVisibleAscii(token)) return token;
  const reason = token === '' ? 'is empty' : 'contains a newline, a space or another invalid character';
  throw new DocsError('unauthenticated', 'invalid_token', `the token ${reason}`, facts);
}

function refusalFor(token: string, own: string | undefined, origin: string): DocsError | undefined {
  if (own !== origin) {
    const owner = own ?? 'another origin';
    const message = `the token belongs to ${owner} and was not sent to ${origin}`;
    return new DocsError('configuration', 'wrong_origin', message, facts);
  }
  if (token.startsWith('sbx_') && !isLoopback(new URL(origin).hostname)) {
    const message = `the token is a sandbox token and was not sent to ${origin}`;
    return new DocsError('configuration', 'sandbox_token', message, facts);
  }
  return undefined;
}
