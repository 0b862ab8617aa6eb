import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { DocsError } from '../errors.js';
import type { Handler } from '../sandbox/handle.js';
import { handlers } from '../sandbox/handlers/index.js';
import type { Front, Named } from '../sandbox/server/front.js';
import type { Request, Response } from '../sandbox/server/respond.js';
import type { CopyRequest } from './copy.js';
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

  constructor(front: Front) {
    this.#front = front;
  }

  async respond(handler: Handler, request: Request): Promise<Response> {
    const { method } = handler.operation;
    const entry: CopyRequest = { method, path: request.url, status: 0 };
    this.requests.push(entry);
    if (method === 'GET') return this.#answer(entry, handler, request);
    const shown = readAt(handler.operation.path);
    const before = shown && (await this.#look(shown, request));
    if (before !== undefined) entry.before = before;
    const response = await this.#answer(entry, handler, request);
    const after = shown ? await this.#look(shown, request) : bodyOf(response.body);
    if (after !== undefined) entry.after = after;
    return response;
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

  /** The resource at the path of a request; undefined where there is none, or nobody may see it. */
  async #look(shown: Handler, request: Request): Promise<unknown> {
    const respond = (handler: Handler, asked: Request) => this.#front.respond(handler, asked);
    const url = request.url.split('?', 1)[0] ?? request.url;
    const told = await ask(respond, shown, { ...request, query: {}, body: undefined, url });
    return told.ok ? told.body : undefined;
  }
}
