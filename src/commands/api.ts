import type { Method } from '../api/operation.js';
import type { TransportRequest, TransportResponse } from '../api/transport.js';
import { Type } from '../api/type.js';
import type { ManualInput } from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { option } from '../cli/declare/standing-flags.js';
import { readSource } from '../cli/parse/typed-text.js';
import { confirmRequest } from '../cli/run/confirm.js';
import { usageError } from '../errors.js';
import { isObject } from '../is-object.js';

/** `docs api`: any request, with the same authentication, retries and output. */

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const api = manual({
  name: 'api',
  summary: 'Send any request',
  why:
    'The path is appended to the address of the platform; {org}, {space} and {site} are replaced from your ' +
    'context. Fields go into the query of a GET, otherwise into the JSON body; with fields the default ' +
    'method is POST.',
  args: {
    '<method-or-path>': 'Path, or method and path: PATCH /v1/spaces/s1',
    '[path]': 'Path after a method',
  },
  options: [
    option('-f, --raw-field <key=value>...', 'A field as text'),
    option(
      '-F, --field <key=value>...',
      'A field typed: true, false, null, numbers, JSON; @file and @- read text',
    ),
    option('--input <file|->', 'The whole JSON body'),
    option('-H, --request-header <name:value>...', 'A further header'),
    option('-i, --include', 'Show status and headers too'),
    option('--paginate', 'Follow all pages; print the items as one list'),
  ],
  returns: Type.Unknown({ description: 'What the platform answers; with --paginate the items as one list' }),
  anyRequest: true,
  examples: {
    'api /v1/orgs': 'send a GET',
    'api PATCH /v1/spaces/s1 -f title=Handbook': 'send a PATCH with a field',
    "api --paginate '/v1/orgs/{org}/members?role=admin' -o id": 'print the ids of all pages of a list',
  },
  danger: 'change',
  async run(session, input) {
    const request = await buildRequest(session, input);
    if (request.method !== 'GET' && session.globals.dryRun) {
      const { method, path, body } = request;
      await session.printer.value({ method, path, ...(body === undefined ? {} : { body }) });
      return session.printer.note('Dry run: the request is shown above; nothing was sent.');
    }
    await confirmRequest(session, request);
    if (input.options.paginate === true) return paginate(session, request);
    const response = await sendRequest(session, request);
    if (input.options.include === true) return printWhole(session, response);
    if (response.body !== undefined) await session.printer.value(response.body);
  },
});

/** A change is a job with a journal; the request itself is sent as it was typed, and nothing else. */
async function sendRequest(session: Session, request: TransportRequest): Promise<TransportResponse> {
  if (request.method === 'GET') return (await session.client()).send(request);
  const { sendRawRequest } = await import('../cli/run/raw-request.js');
  return sendRawRequest(session, request);
}

async function buildRequest(session: Session, input: ManualInput): Promise<TransportRequest> {
  const { method: given, path: typed } = methodAndPath(input);
  const fields = await readFields(session, input);
  const source = input.options.input as string | undefined;
  const hasBody = source !== undefined || Object.keys(fields).length > 0;
  const method = given ?? (hasBody ? 'POST' : 'GET');
  const path = fillContext(session, checkPath(typed));
  if (method === 'GET') {
    if (source !== undefined) throw usageError('contradiction', '--input is a body, and a GET has none.');
    return { method, path: withQuery(path, fields), headers: headersOf(input), read: 'json' };
  }
  const base = source === undefined ? undefined : parseBody(await readSource(session.io, source, '--input'));
  const isPlain = isObject(base);
  if (base !== undefined && !isPlain && Object.keys(fields).length > 0) {
    throw usageError('contradiction', 'Fields can only be added to a body that is a JSON object.');
  }
  const body = !hasBody
    ? undefined
    : isPlain || base === undefined
      ? { ...(base as object), ...fields }
      : base;
  return { method, path, headers: headersOf(input), read: 'json', ...(body !== undefined && { body }) };
}

function methodAndPath(input: ManualInput): { method?: Method; path: string } {
  const first = input.args['method-or-path'] as string | undefined;
  const second = input.args.path as string | undefined;
  if (first === undefined) throw usageError('missing_argument', 'A path is required, such as /v1/orgs.');
  if (second === undefined) return { path: first };
  const method = first.toUpperCase();
  if (!methods.includes(method)) {
    throw usageError('unknown_method', `${first} is not a method; known: ${methods.join(', ')}.`);
  }
  return { method: method as Method, path: second };
}

/** Only paths of the platform: an absolute URL would take the token elsewhere. */
function checkPath(path: string): string {
  const isPath = path.startsWith('/') && !path.startsWith('//') && !/[\s\\#]/.test(path);
  const plain = path.split('?')[0] as string;
  const climbs = plain.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
  if (!isPath || climbs)
    throw usageError('bad_path', `A path starts with /, such as /v1/orgs; "${path}" does not fit.`);
  return path;
}

function fillContext(session: Session, path: string): string {
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value =
      name === 'org' || name === 'space' || name === 'site' ? session.settings[name]?.value : undefined;
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
  if (at < 1) throw usageError('bad_value', `${flag} must be key=value, not "${pair}".`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function typedValue(session: Session, text: string): Promise<unknown> {
  if (text.startsWith('@')) return readSource(session.io, text.slice(1), '-F');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageError('bad_json', `--input is not JSON: ${(cause as Error).message}.`);
  }
}

function headersOf(input: ManualInput): Record<string, string> {
  const pairs = ((input.options.requestHeader ?? []) as string[]).map((text) => {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*([^\r\n]*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw usageError('bad_value', `-H must be name:value, not "${text}".`);
    const lower = name.toLowerCase();
    if (lower === 'authorization' || lower === 'host' || lower === 'content-length') {
      throw usageError('bad_value', `-H cannot set ${name}; docs sets it.`);
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

/** Status, headers and body: as one value for programs, as text for people. */
async function printWhole(session: Session, response: TransportResponse): Promise<void> {
  const { status, headers, body } = response;
  const asValue = session.settings.output !== undefined || session.globals.jq !== undefined;
  if (asValue) return session.printer.value({ status, headers, ...(body !== undefined && { body }) });
  await session.printer.text(head(response));
  if (body !== undefined) await session.printer.value(body);
}

function head(response: TransportResponse): string {
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`HTTP ${response.status}`, ...headers].join('\n')}\n\n`;
}

/** Follows `next.page`; it is only ever a query value of the same path. */
async function paginate(session: Session, request: TransportRequest): Promise<void> {
  if (request.method !== 'GET') throw usageError('contradiction', '--paginate is for GET requests.');
  const client = await session.client({ timeoutPerRequest: true });
  const view = { columns: [{ path: 'id' }, { path: 'title' }], fields: ['id', 'title'], open: [''] };
  await session.printer.list(client.pagesOf(request), view);
}
