import { usageError } from '../../errors.js';
import type { TransportRequest } from './contract.js';
import type { DispatchRequest } from './exchange.js';
import { formatJson } from './json-text.js';
import { checkPath } from './path.js';

/** Headers for identity, routing and framing, which callers must not set. */
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
 * Builds a request as it will be sent, except for the token.
 * @param prefix the base URL's own path
 * @throws DocsError usage `invalid_path` or `invalid_header`; nothing was sent
 */
export function writeRequest(request: TransportRequest, prefix: string, userAgent: string): DispatchRequest {
  checkPath(request.path);
  const headers: Record<string, string> = {
    accept: request.read === 'bytes' ? '*/*' : 'application/json',
    // No compression: the size limit applies to the bytes as they arrive.
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
    if (ownHeaders.has(name)) throw invalid(`The header ${name} is set by docs itself.`);
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) throw invalid('A header has an invalid name.');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw invalid(`The header ${name} contains a newline or another invalid character.`);
    }
    headers[name] = value;
  }
}

function invalid(message: string) {
  return usageError('invalid_header', message, { hint: 'docs api --help' });
}
