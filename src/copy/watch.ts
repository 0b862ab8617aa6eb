import type { AnyOperation } from '../api/operation.js';
import { operationAt, operations } from '../api/resources/index.js';
import { DocsError } from '../base/errors.js';
import type { Handler } from '../sandbox/handle.js';
import { handlers } from '../sandbox/handlers/index.js';
import type { Front, Named } from '../sandbox/server/front.js';
import type { Request, Response } from '../sandbox/server/respond.js';
import type { CopyRequest } from './copy.js';
import { pathWith, shownBy } from './shown.js';
import { ask, bodyOf } from './side.js';

/** The handler of an operation. */
export const handlerOf: ReadonlyMap<AnyOperation, Handler> = new Map(
  handlers.map((handler) => [handler.operation, handler]),
);

const readsByPath = new Map(
  operations.flatMap((one) => (one.method === 'GET' && one.returns.kind === 'one' ? [[one.path, one]] : [])),
);

/** The operation that shows the one resource at the path of another; undefined where none does. */
export function readAt(path: string): Handler | undefined {
  const operation = readsByPath.get(path);
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
    const asked = { user: this.#user, path: operated.input.path as Request['path'], body: undefined };
    if (handler.operation.returns.kind === 'page') return this.#lookAll(handler, asked, path);
    const told = await this.#ask(handler, { ...asked, query: {}, url: path });
    return told.ok ? told.body : undefined;
  }

  async #lookAll(handler: Handler, asked: Omit<Request, 'query' | 'url'>, path: string): Promise<unknown> {
    const items: unknown[] = [];
    for (let page: string | undefined; ; ) {
      const query = { limit: 1000, ...(page !== undefined && { page }) };
      const url = `${path}?limit=1000${page === undefined ? '' : `&page=${encodeURIComponent(page)}`}`;
      const told = await this.#ask(handler, { ...asked, query, url });
      if (!told.ok) return undefined;
      const { items: found, next } = told.body as { items: unknown[]; next?: { page: string } };
      items.push(...found);
      page = next?.page;
      if (page === undefined) return { items };
    }
  }

  #ask(handler: Handler, request: Request) {
    return ask((one, asked) => this.#front.respond(one, asked), handler, request);
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
