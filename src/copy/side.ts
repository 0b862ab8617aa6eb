import { DocsError } from '../base/errors.js';
import type { Handler } from '../sandbox/handle.js';
import type { Request, Response } from '../sandbox/server/respond.js';

/** An answer with its body read: a resource, or why there is none. */
export type Told =
  | { ok: true; status: number; body: unknown }
  | { ok: false; status: number; error: DocsError };

type Respond = (handler: Handler, request: Request) => Promise<Response>;

/** The answer to a request; what is refused is an answer too. @throws what is not a refusal */
export async function ask(respond: Respond, handler: Handler, request: Request): Promise<Told> {
  try {
    const { status, body } = await respond(handler, request);
    return { ok: true, status, body: bodyOf(body) };
  } catch (error) {
    if (!(error instanceof DocsError) || error.failure.status === undefined) throw error;
    return { ok: false, status: error.failure.status, error };
  }
}

/** As `ask`, but a list as a whole: its pages as one. */
export async function askAll(respond: Respond, handler: Handler, request: Request): Promise<Told> {
  if (handler.operation.returns.kind !== 'page') return ask(respond, handler, request);
  const { page: _, limit: __, ...filters } = request.query;
  const items: unknown[] = [];
  for (let page: string | undefined; ; ) {
    const query = { ...filters, limit: 1000, ...(page !== undefined && { page }) };
    const told = await ask(respond, handler, { ...request, query, url: urlOf(request, query) });
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

function urlOf({ url }: Request, query: object): string {
  return `${url.split('?', 1)[0]}?${JSON.stringify(query)}`;
}
