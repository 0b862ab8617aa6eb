import { usageError } from '../../errors.js';
import type { TransportRequest } from './contract.js';
import type { DispatchRequest } from './exchange.js';
import { formatJson } from './json-text.js';
import { checkPath } from './path.js';

/** Headers that decide whose request it is, where it goes or where it ends: not for callers to set. */
const ownHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'keep-alive',
  'proxy-connection',
]);

/**
 * Writes a request as it will be sent, but for the token.
 * @param prefix the base URL's own path
 * @throws DocsError usage `invalid_path` or `invalid_header`; nothing was sent
 */
export function writeRequest(request: TransportRequest, prefix: string, userAgent: string): DispatchRequest {
  checkPath(request.path);
  const headers: Record<string, string> = {
    accept: request.read === 'bytes' ? '*/*' : 'application/json',
    // No compression: the size of what comes must be known as it comes.
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
  const hasBody = request.body !== undefined;
  if (hasBody) headers['content-type'] = 'application/json';
  if (request.headers !== undefined) addHeaders(headers, request.headers);
  return {
    method: request.method,
    path: prefix + request.path,
    headers,
    body: hasBody ? formatJson(request.body) : null,
  };
}

function addHeaders(headers: Record<string, string>, extra: Readonly<Record<string, string>>): void {
  for (const [given, value] of Object.entries(extra)) {
    const name = given.toLowerCase();
    if (ownHeaders.has(name)) throw invalid(`The header ${name} is set by docs alone.`);
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))
      throw invalid('A header has a name that HTTP does not allow.');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw invalid(`The header ${name} holds a newline or another character that HTTP does not allow.`);
    }
    headers[name] = value;
  }
}

function invalid(message: string) {
  return usageError('invalid_header', message, { hint: 'docs api --help' });
}
