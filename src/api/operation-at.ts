import { defined } from '../base/values.js';
import type { LooseInput } from './client.js';
import type { AnyOperation } from './operation.js';
import { operations } from './resources/index.js';
import type { TransportRequest } from './transport.js';

/** A request as it goes out: method, encoded path with its query, and body. */
export type SentRequest = Pick<TransportRequest, 'method' | 'path' | 'body'>;

/** An operation and its input. */
export interface Operated {
  op: AnyOperation;
  input: LooseInput;
  /** The id that names the item: the last path parameter; '' where the path has none. */
  id: string;
}

/** The operation that a request calls, with its input; undefined where none has its method and path. */
export function operationAt({ method, path, body }: SentRequest): Operated | undefined {
  const [pathname = '', search = ''] = path.split('?');
  for (const op of operations) {
    const values = op.method === method ? pathValues(op, pathname) : undefined;
    if (values === undefined) continue;
    const input: LooseInput = { path: values, query: queryOf(search), ...defined({ body }) };
    return { op, input, id: Object.values(values).at(-1) ?? '' };
  }
  return undefined;
}

/** The path parameters, where the path matches that of the operation. */
function pathValues(op: AnyOperation, pathname: string): Record<string, string> | undefined {
  const [wanted, given] = [op.path.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const text = given[at] ?? '';
    if (name === undefined ? part !== text : text === '') return undefined;
    if (name !== undefined) values[name] = decoded(text);
  }
  return values;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function queryOf(search: string): Record<string, string[]> {
  const query = new URLSearchParams(search);
  return Object.fromEntries([...new Set(query.keys())].map((key) => [key, query.getAll(key)]));
}
