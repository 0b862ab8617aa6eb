import { usageError } from '../../base/errors.js';
import type { TransportRequest } from './contract.js';
import type { DispatchRequest } from './exchange.js';
import { formatJson } from './json-text.js';

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
 * Builds a request, except for the token, below the path of the base URL.
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
    ...(request.showsHeaders && { showsHeaders: true }),
  };
}

function addHeaders(headers: Record<string, string>, extra: Readonly<Record<string, string>>): void {
  for (const [given, value] of Object.entries(extra)) {
    const name = given.toLowerCase();
    if (ownHeaders.has(name)) throw invalidHeader(`The header ${name} is reserved: docs sets it.`);
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) throw invalidHeader('A header has an invalid name.');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw invalidHeader(`The header ${name} contains a newline or another invalid character.`);
    }
    headers[name] = value;
  }
}

/**
 * Encodes an id as one path segment, so that it cannot address another resource.
 * @throws DocsError usage `invalid_id` (RELIABILITY.md, "Secrets and origins")
 */
export function encodeSegment(value: string): string {
  if (value === '') throw invalidId('The id must not be empty.');
  if (value === '.' || value === '..') throw invalidId(`"${value}" is not an id.`);
  try {
    return encodeURIComponent(value);
  } catch {
    throw invalidId('The id contains a lone surrogate.');
  }
}

/** Checks a path that is sent unchanged. @throws DocsError usage `invalid_path` */
export function checkPath(path: string): void {
  if (!path.startsWith('/')) throw invalidPath('The path must start with "/".');
  if (path.includes('#')) throw invalidPath('The path must not contain "#"; encode it as %23.');
  if (!/^[\x21-\x7e]*$/.test(path)) {
    throw invalidPath(
      'The path must not contain spaces, control characters or non-ASCII characters; encode them.',
    );
  }
}

const invalidId = (message: string) => usageError('invalid_id', message, { hint: 'docs --help' });
const invalidPath = (message: string) => usageError('invalid_path', message, { hint: 'docs api --help' });
const invalidHeader = (message: string) => usageError('invalid_header', message, { hint: 'docs api --help' });
