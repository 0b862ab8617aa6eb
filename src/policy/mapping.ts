import type { AnyOperation } from '../api/operation.js';
import { type Operated, operationAt } from '../api/resources/index.js';
import type { TransportRequest } from '../api/transport.js';
import { isObject } from '../base/values.js';
import type { Policy, Verdict } from './policy.js';

/** From a request as it goes out to its operation, where a server cannot read the request in another way. */

export interface Unmapped {
  /** The rest of a sentence about the request. */
  unmapped: string;
}

/** The operation that a request calls, and why it cannot be told. */
export function mapRequest(
  request: Pick<TransportRequest, 'method' | 'path' | 'body' | 'headers'>,
): Operated | Unmapped {
  const fault = pathFault(request.path) ?? headerFault(request.headers ?? {});
  if (fault !== undefined) return { unmapped: fault };
  const found = operationAt(request);
  if (found === undefined) return { unmapped: 'matches no known operation' };
  const wrong = queryFault(found.op, request.path) ?? bodyFault(found.op, request.body);
  return wrong === undefined ? found : { unmapped: wrong };
}

/** The verdict on a request whose operation cannot be told. */
export function unmappedVerdict(policies: readonly Policy[], { unmapped }: Unmapped): Verdict {
  const [policy] = policies;
  if (policy === undefined) return { is: 'allow' };
  return {
    is: 'deny',
    by: { file: policy.file, line: policy.lines?.default ?? 1, rule: 'unknown request' },
    why: `the request ${unmapped}`,
  };
}

/** Why a server may read a path in another way; the rest of a sentence about a request. */
export function pathFault(path: string): string | undefined {
  const [pathname = ''] = path.split('?');
  for (const segment of pathname.split('/')) {
    let text: string;
    try {
      text = decodeURIComponent(segment);
    } catch {
      return 'has an invalid percent-encoding in its path';
    }
    if (text === '.' || text === '..') return 'has a "." or ".." in its path';
    if (/[/\\]/.test(text)) return 'has an encoded slash in its path';
    if (/%[\da-f]{2}/i.test(text)) return 'has a doubly encoded character in its path';
    // Some servers cut a segment there; ids that docs encodes have it as %3B.
    if (segment.includes(';')) return 'has a semicolon in its path';
    if (/\p{Cc}/u.test(text)) return 'has a control character in its path';
  }
  return undefined;
}

/** Headers by which some servers take another method, path or form of body than the ones that are sent. */
const changing =
  /^(?:x-)?(?:http-)?method(?:-override)?$|^x-(?:original|rewrite|forwarded)-(?:url|uri|path|prefix)$/;

function headerFault(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (changing.test(name)) return `has the header ${name}, by which it may mean something else`;
    if (name === 'content-type' && !/^application\/json\s*(?:;|$)/i.test(value))
      return 'has a content-type other than application/json';
    if (name === 'content-encoding') return 'has a content-encoding';
  }
  return undefined;
}

function queryFault(op: AnyOperation, path: string): string | undefined {
  const at = path.indexOf('?');
  if (at < 0) return undefined;
  const search = path.slice(at + 1);
  if (/%(?![\da-f]{2})/i.test(search)) return 'has an invalid percent-encoding in its query';
  const query = new URLSearchParams(search);
  const known = [
    ...Object.keys(op.query.properties),
    ...(op.returns.kind === 'page' ? ['page', 'limit'] : []),
  ];
  for (const key of new Set(query.keys())) {
    if (query.getAll(key).length > 1 && !takesMany(op, key)) return `has "${key}" twice in its query`;
    if (known.includes(key)) continue;
    if (op.method !== 'GET' || key.toLowerCase() === '_method')
      return `has "${key}" in its query, which ${op.id} does not take`;
  }
  return undefined;
}

function takesMany(op: AnyOperation, key: string): boolean {
  const schema = op.query.properties[key];
  const branches = schema?.anyOf ?? [schema];
  return branches.some((one: { type?: unknown } | undefined) => one?.type === 'array');
}

function bodyFault(op: AnyOperation, body: unknown): string | undefined {
  if (body === undefined) return undefined;
  if (!isObject(body)) return 'has a body that is not a JSON object';
  if (op.body === undefined && Object.keys(body).length > 0)
    return `has a body, which ${op.id} does not take`;
  const twice = twiceIn(body);
  return twice === undefined ? undefined : `has "${twice}" twice in its body`;
}

/** A key that a reader without regard to case would find twice. */
function twiceIn(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(twiceIn).find((one) => one !== undefined);
  if (!isObject(value)) return undefined;
  const seen = new Set<string>();
  for (const [key, item] of Object.entries(value)) {
    const folded = key.toLowerCase();
    if (seen.has(folded)) return key;
    seen.add(folded);
    const below = twiceIn(item);
    if (below !== undefined) return below;
  }
  return undefined;
}
