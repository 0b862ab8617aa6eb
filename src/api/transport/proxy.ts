import { DocsError } from '../../base/errors.js';
import { isLoopback, maskCredentials, parseUrl } from './base-url.js';

type Environment = Readonly<Record<string, string | undefined>>;

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
export function proxyFor(target: URL, environment: Environment): HttpProxy | undefined {
  if (isLoopback(target.hostname)) return undefined;
  const name = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const setting = setIn(environment, name);
  if (setting === undefined) return undefined;
  if (isExcepted(target, setIn(environment, 'no_proxy')?.value)) return undefined;
  return parseProxy(setting.name, setting.value);
}

/** Whether an environment names a proxy, whichever it is for. */
export function namesProxy(environment: Environment): boolean {
  return ['http_proxy', 'https_proxy'].some((name) => setIn(environment, name) !== undefined);
}

/** Passwords of the proxies in an environment, whichever applies: a proxy may repeat its own. */
export function proxyPasswords(environment: Environment): string[] {
  return ['http_proxy', 'https_proxy'].flatMap((name) =>
    [name, name.toUpperCase()].flatMap((spelling) => {
      const password = parseUrl(withScheme(environment[spelling]?.trim() ?? ''))?.password ?? '';
      return [password, decoded(password)];
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Refused where the proxy is used.
  }
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
function isExcepted(target: URL, list: string | undefined): boolean {
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
  return new DocsError('configuration', 'invalid_proxy', `${name} (${shown}) ${what}.`, facts);
}
