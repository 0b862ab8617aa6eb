import type { AnyOperation } from '../api/operation.js';
import { filledPath } from '../api/operation-facts.js';
import { operationAt, operations } from '../api/resources/index.js';
import { DocsError } from '../base/errors.js';
import { ruleOf } from '../jobs/undo-rules.js';
import type { Handler } from '../sandbox/handle.js';
import { handlers } from '../sandbox/handlers/index.js';
import type { Front, Named } from '../sandbox/server/front.js';
import type { Request, Response } from '../sandbox/server/respond.js';
import type { CopyRequest } from './copy.js';

/** Where the platform shows what a changing operation changes. */
export interface Shown {
  /** Template of the path that shows the one resource that it changes. */
  one?: string;
  /** Template of a list with items that it changes, where none of these has a path of its own. */
  list?: string;
  /** The parameter that names the one item of the list; absent where it changes several. */
  item?: string;
  /** Template of the path of the content that it changes besides. */
  content?: string;
  /** Template of the path of what it creates. */
  made?: { path: string; parameter: string };
}

const ones = reads('one');
const lists = reads('page');

function reads(kind: AnyOperation['returns']['kind']): ReadonlyMap<string, AnyOperation> {
  const found = operations.filter(({ method, returns }) => method === 'GET' && returns.kind === kind);
  return new Map(found.map((one) => [one.path, one]));
}

/** The operation that shows the one resource at a path, or the list there; undefined where none does. */
export function showsAt(path: string): AnyOperation | undefined {
  return ones.get(path) ?? lists.get(path);
}

const known = new Map<string, Shown>();

/** Where what an operation changes is shown: at its path, at the path of what it makes, or above it. */
export function shownBy(operation: AnyOperation): Shown {
  const found = known.get(operation.id) ?? find(operation);
  known.set(operation.id, found);
  return found;
}

function find(operation: AnyOperation): Shown {
  const { path, method, id } = operation;
  const { harmless, makes, creates } = ruleOf(operation);
  if (harmless === true) return {};
  const content = contentOf(operation);
  if (content !== undefined && path.startsWith(content)) return { content };
  if (ones.has(path)) return { one: path };
  const creating = creates === true || (method === 'POST' && lists.has(path));
  if (creating) return { made: madeAt(path, makes?.parameter ?? 'id') };
  if (lists.has(path)) return { list: path };
  const above = aboveOf(path);
  if (above === undefined) throw new Error(`Nothing shows what ${id} changes`);
  return { ...above, ...(content !== undefined && { content }) };
}

/** Merges and imports change pages and files. */
function contentOf({ id, path }: AnyOperation): string | undefined {
  if (id === 'change-requests.merge') return '/v1/spaces/{spaceId}/content';
  return id.endsWith('content.import') ? path.slice(0, path.lastIndexOf('/')) : undefined;
}

function madeAt(path: string, parameter: string): NonNullable<Shown['made']> {
  const own = [...ones.keys()].find((one) => one.endsWith(`/{${parameter}}`));
  return { path: own ?? `${path}/{${parameter}}`, parameter };
}

/** The nearest resource above a path, by itself or as the item of a list; else nothing. */
function aboveOf(path: string): Shown | undefined {
  for (let at = path; at !== ''; at = parentOf(at)) {
    if (ones.has(at)) return { one: at };
    const item = /\/\{(\w+)\}$/.exec(at)?.[1];
    const list = parentOf(at);
    if (item !== undefined && lists.has(list)) return { list, item };
  }
  return undefined;
}

/** A path without its last part; '' above the first. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A path with the values of its parameters, encoded. */
export function pathWith(template: string, values: Readonly<Record<string, string>>): string {
  return filledPath(template, (name) => encodeURIComponent(values[name] ?? ''));
}

/** The handler of an operation. */
export const handlerOf: ReadonlyMap<AnyOperation, Handler> = new Map(
  handlers.map((handler) => [handler.operation, handler]),
);

/** The operation that shows the one resource at the path of another; undefined where none does. */
export function readAt(path: string): Handler | undefined {
  const operation = ones.get(path);
  return operation && handlerOf.get(operation);
}

/** Keeps what was asked of a copy and what that changed, as a front of the front that answers. */
export class Watch implements Front {
  readonly requests: CopyRequest[] = [];
  readonly #front: Front;
  /** Lists and contents as they were before the first change there, by path. */
  readonly #first = new Map<string, Promise<unknown>>();
  #user: Request['user'] | undefined;

  constructor(front: Front) {
    this.#front = front;
  }

  async respond(handler: Handler, request: Request): Promise<Response> {
    const { method } = handler.operation;
    const entry: CopyRequest = { method, path: request.url, status: 0 };
    this.requests.push(entry);
    this.#user = request.user;
    if (method === 'GET') return this.#answer(entry, handler, request);
    const { one, list, content, made } = shownBy(handler.operation);
    const shown = one === undefined ? undefined : pathWith(one, request.path);
    const before = shown === undefined ? undefined : await this.look(shown);
    if (before !== undefined) entry.before = before;
    const beside = list ?? content;
    if (beside !== undefined) entry.beside = await this.#beside(pathWith(beside, request.path));
    const response = await this.#answer(entry, handler, request);
    const after = shown === undefined ? made && bodyOf(response.body) : await this.look(shown);
    if (after !== undefined) entry.after = after;
    return response;
  }

  /** What a GET of a path shows now, of a list all pages; undefined where it shows nothing, or nobody asked yet. */
  async look(path: string): Promise<unknown> {
    const operated = operationAt({ method: 'GET', path });
    const handler = operated && handlerOf.get(operated.op);
    if (this.#user === undefined || operated === undefined || handler === undefined) return undefined;
    const ids = operated.input.path as Request['path'];
    const asked = { user: this.#user, path: ids, body: undefined, query: {}, url: path };
    const told = await askAll((one, its) => this.#front.respond(one, its), handler, asked);
    return told.ok ? told.body : undefined;
  }

  /** Changes that are sent at once wait for the one read of what was there before them. */
  async #beside(path: string): Promise<NonNullable<CopyRequest['beside']>> {
    const first = this.#first.get(path) ?? this.look(path);
    this.#first.set(path, first);
    return { path, before: await first };
  }

  async open(address: string, signal: AbortSignal): Promise<Named | undefined> {
    return this.#front.open?.(address, signal);
  }

  async #answer(entry: CopyRequest, handler: Handler, request: Request): Promise<Response> {
    try {
      const response = await this.#front.respond(handler, request);
      entry.status = response.status;
      return response;
    } catch (error) {
      entry.status = (error instanceof DocsError ? error.failure.status : undefined) ?? 500;
      throw error;
    }
  }
}

/** An answer with its body read: a resource, or why there is none. */
export type CopyAnswer =
  | { ok: true; status: number; body: unknown }
  | { ok: false; status: number; error: DocsError };

type Respond = (handler: Handler, request: Request) => Promise<Response>;

/** The answer to a request; what is refused is an answer too. @throws what is not a refusal */
async function ask(respond: Respond, handler: Handler, request: Request): Promise<CopyAnswer> {
  try {
    const { status, body } = await respond(handler, request);
    return { ok: true, status, body: bodyOf(body) };
  } catch (error) {
    if (!(error instanceof DocsError) || error.failure.status === undefined) throw error;
    return { ok: false, status: error.failure.status, error };
  }
}

/** As `ask`, but a list as a whole: its pages as one. */
export async function askAll(respond: Respond, handler: Handler, request: Request): Promise<CopyAnswer> {
  if (handler.operation.returns.kind !== 'page') return ask(respond, handler, request);
  const { page: _, limit: __, ...filters } = request.query;
  const items: unknown[] = [];
  for (let page: string | undefined; ; ) {
    const query: Record<string, string | number> = {
      ...filters,
      limit: 1000,
      ...(page !== undefined && { page }),
    };
    const words = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const url = `${request.url.split('?', 1)[0]}?${words.join('&')}`;
    const told = await ask(respond, handler, { ...request, query, url });
    if (!told.ok) return told;
    const { next, items: found, ...rest } = told.body as { items: unknown[]; next?: { page: string } };
    items.push(...found);
    page = next?.page;
    if (page === undefined) return { ...told, body: { ...rest, items } };
  }
}

/** The body of a response as a value. */
export function bodyOf(body: Response['body']): unknown {
  return body === undefined ? undefined : JSON.parse(body.toString());
}
