import { jsonOrNothing } from '../../api/input-json.js';
import type { AnyOperation, Method } from '../../api/operation.js';
import { isJsonObject } from '../../api/transport/json-text.js';
import type { TransportRequest } from '../../api/transport.js';
import { type DocsError, sentences, usageError } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { readSource } from '../parse/typed-text.js';
import { readJson } from './typed-files.js';

/** From the arguments and flags of `docs api` to its request. */

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The request that was typed: method, path with the context filled in, fields, body and headers.
 * @throws DocsError usage; nothing was sent
 */
export async function requestOf(session: Session, input: ManualInput): Promise<TransportRequest> {
  const { method: given, path: typed } = methodAndPath(input);
  const fields = await readFields(session, input);
  const source = input.options.input as string | undefined;
  const hasBody = source !== undefined || Object.keys(fields).length > 0;
  const method = given ?? (hasBody ? 'POST' : 'GET');
  const path = checkedPath(session, typed);
  if (method === 'GET') {
    if (source !== undefined)
      throw usageError('contradiction', '--input is a body, and a GET request has none');
    return { method, path: withQuery(path, fields), headers: headersOf(input), read: 'json' };
  }
  const base = source === undefined ? undefined : await readJson(session, source, '--input');
  const mayHaveFields = base === undefined || isJsonObject(base);
  if (!mayHaveFields && Object.keys(fields).length > 0)
    throw usageError('contradiction', 'fields can only be added to a body that is a JSON object');
  const body = mayHaveFields && hasBody ? { ...base, ...fields } : base;
  return { method, path, headers: headersOf(input), read: 'json', ...defined({ body }) };
}

function methodAndPath(input: ManualInput): { method?: Method; path: string } {
  const first = String(input.args['method-or-path']);
  const second = input.args.path as string | undefined;
  if (second === undefined) return { path: first };
  const method = first.toUpperCase();
  if (!methods.includes(method)) {
    throw usageError(
      'unknown_method',
      `unknown method ${JSON.stringify(first)}; expected one of ${methods.join(', ')}`,
    );
  }
  return { method: method as Method, path: second };
}

/** A path as it is sent. @throws DocsError usage `bad_path`, `unknown_placeholder` */
export function checkedPath(session: Session, typed: string): string {
  return fillContext(session, checkPath(typed));
}

/** Only paths of the platform: an absolute URL would take the token elsewhere. */
function checkPath(path: string): string {
  const isPath = path.startsWith('/') && !path.startsWith('//') && !/[\s\\#]/.test(path);
  const plain = path.split('?')[0] as string;
  const climbs = plain.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
  if (!isPath || climbs)
    throw usageError('bad_path', `invalid path ${JSON.stringify(path)}; expected one such as /v1/orgs`);
  return path;
}

function fillContext(session: Session, path: string): string {
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const known = name === 'org' || name === 'space' || name === 'site';
    const value = known ? session.settings[name]?.value : undefined;
    if (value === undefined) throw usageError('unknown_placeholder', `no value for ${placeholder}`);
    return encodeURIComponent(value);
  });
}

async function readFields(session: Session, input: ManualInput): Promise<Record<string, unknown>> {
  const texts = ((input.options.rawField ?? []) as string[]).map((pair) => split(pair, '-f'));
  const typed = await Promise.all(
    ((input.options.field ?? []) as string[]).map(async (pair) => {
      const [key, text] = split(pair, '-F');
      return [key, await typedValue(session, text)] as const;
    }),
  );
  return Object.fromEntries([...texts, ...typed]);
}

function split(pair: string, flag: string): readonly [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw usageError('bad_value', `${flag} must be key=value, not "${pair}"`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function typedValue(session: Session, text: string): Promise<unknown> {
  if (text.startsWith('@')) return readSource(session, text.slice(1), '-F');
  const value = jsonOrNothing(text);
  return value === undefined ? text : value;
}

function headersOf(input: ManualInput): Record<string, string> {
  const pairs = ((input.options.requestHeader ?? []) as string[]).map((text) => {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*([^\r\n]*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw usageError('bad_value', `-H must be name:value, not "${text}"`);
    const lower = name.toLowerCase();
    if (lower === 'authorization' || lower === 'host' || lower === 'content-length') {
      throw usageError('bad_value', `-H cannot set ${name}; docs sets it`);
    }
    return [lower, value] as const;
  });
  return Object.fromEntries(pairs);
}

function withQuery(path: string, fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) query.append(key, String(item));
  }
  return query.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** Prints the method and path of every operation. */
export const listPaths = `docs commands --jq '[.[].operations[] | .method + " " + .path] | unique[]'`;

/**
 * A request of `docs api` that was not found because the platform has no such path, or not with this method:
 * the same failure with what it may have meant.
 */
export async function withPathHint(
  cause: DocsError,
  { method, path }: Pick<TransportRequest, 'method' | 'path'>,
  platform: NodeJS.Platform,
): Promise<DocsError> {
  const { kind, message, failure } = cause;
  if (kind !== 'not-found' && failure.status !== 405) return cause;
  const { operations } = await import('../../api/resources/index.js');
  const [typed = ''] = path.split('?');
  const here = operations.filter((op) => filled(op.path, typed) === typed);
  if (here.some((op) => op.method === method)) return cause;
  const methods = here.map((op) => op.method);
  const meant = here.length > 0 ? undefined : nearestPath(typed, operations);
  const known = methods.length === 0 ? 'The API has no such path' : `This path takes ${methods.join(', ')}`;
  const suggestion = didYouMean(meant);
  const hint = methods.includes('GET') ? `docs api GET ${shellWord(path, platform)}` : listPaths;
  const details = defined({ ...failure.details, nearest: meant });
  return cause.changed({ hint, details }, sentences(message, `${known}${suggestion}`));
}

/** The path of an operation with what was typed in place of its parameters; '' where their lengths differ. */
function filled(path: string, typed: string): string {
  const [parts, words] = [path.split('/'), typed.split('/')];
  if (parts.length !== words.length) return '';
  return parts.map((part, at) => (part.startsWith('{') ? words[at] : part)).join('/');
}

function nearestPath(typed: string, operations: readonly AnyOperation[]): string | undefined {
  const whole = typed.startsWith('/v1/') ? typed : `/v1${typed}`;
  const paths = new Map(operations.map(({ path }) => [filled(path, whole), path]));
  const found = paths.has(whole) ? whole : nearest(whole, [...paths.keys()].filter(Boolean));
  return found === undefined ? undefined : paths.get(found);
}
