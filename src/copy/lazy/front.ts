import { isObject } from '../../base/values.js';
import type { Handler } from '../../sandbox/handle.js';
import { refusal } from '../../sandbox/refusal.js';
import type { Front, Named } from '../../sandbox/server/front.js';
import type { Request, Response } from '../../sandbox/server/respond.js';
import { unrestored } from '../gaps.js';
import { bodyOf, type Told } from '../side.js';
import { handlerOf, readAt } from '../watch.js';
import { Embedded } from './embedded.js';
import { keyOf, ListChange } from './list-change.js';
import { merge, same } from './merge.js';
import { type Needs, partsOfChange, partsOfRead } from './needs.js';
import type { Parts } from './parts/store.js';
import type { Platform } from './platform.js';
import { isHidden, unread } from './platform-refusal.js';
import type { Twin } from './twin.js';

/**
 * Answers as an organization would after the changes that were made in a copy of it. Reads go to the platform,
 * and what the copy changed is worked into the answer; of the platform a copy holds only what changes needed.
 */
export class LazyFront implements Front {
  /** Ids of the operations that changed something. */
  readonly changes = new Set<string>();
  readonly #platform: Platform;
  readonly #twin: Twin;
  readonly #parts: Parts;
  readonly #embedded: Embedded;
  /** The last item of a page of the platform, by the cursor of the next one. */
  readonly #ends = new Map<string, unknown>();

  constructor(platform: Platform, twin: Twin, parts: Parts, organizationId: string) {
    this.#platform = platform;
    this.#twin = twin;
    this.#parts = parts;
    this.#embedded = new Embedded(twin, organizationId);
  }

  async respond(handler: Handler, request: Request): Promise<Response> {
    try {
      return await (handler.operation.method === 'GET'
        ? this.#read(handler, request)
        : this.#change(handler, request));
    } catch (error) {
      return unread(error);
    }
  }

  open(address: string, signal: AbortSignal): Promise<Named | undefined> {
    return this.#platform.addresses.open(address, signal);
  }

  async #read(handler: Handler, request: Request): Promise<Response> {
    if (this.#twin.changed.size === 0) return this.#pass(request.url);
    await this.#parts.want(...partsOfRead(this.#needs(handler, request)));
    const { before, after } = await this.#twin.both(handler, request);
    if (alike(before, after)) {
      const told = await this.#pass(request.url);
      return this.#embedded.idle ? told : jsonResponse(told.status, await this.#patched(told, request));
    }
    if (!after.ok) throw after.error;
    if (!before.ok) return this.#ofMade(handler, request, after.body);
    const told = bodyOf((await this.#pass(request.url)).body);
    const merged = isPage(handler, told)
      ? this.#mergePage(told, before.body, after.body, request)
      : merge(told, before.body, after.body);
    return jsonResponse(after.status, await this.#embedded.patch(merged, request));
  }

  /**
   * What was made in the copy, so that the platform has nothing to tell. The content of a change request that was
   * made here is that of its space, of which the copy holds no texts, but for what was changed since.
   */
  async #ofMade(handler: Handler, request: Request, own: unknown): Promise<Response> {
    const main = mainContent(handler);
    if (main === undefined || !this.#twin.made(request.path.changeRequestId ?? ''))
      return this.#twin.respond.respond(handler, request);
    const [path, query = ''] = [pathFor(main, request), request.url.split('?')[1]];
    const url = query === '' ? path : `${path}?${query}`;
    const { before } = await this.#twin.both(main, { ...request, url });
    if (!before.ok) return this.#twin.respond.respond(handler, request);
    const told = bodyOf((await this.#pass(url)).body);
    const merged = isPage(main, told)
      ? this.#mergePage(told, before.body, own, request)
      : merge(told, before.body, own);
    return jsonResponse(200, merged);
  }

  async #change(handler: Handler, request: Request): Promise<Response> {
    await this.#prepare(handler, request).catch((error: unknown) => this.#lacking(handler, request, error));
    const shown = resourceOf(handler);
    const before = shown && (await this.#shown(shown, request));
    const response = await this.#twin.respond.respond(handler, request);
    this.changes.add(handler.operation.id);
    const own = bodyOf(response.body);
    if (before === undefined || !isObject(own) || !isSame(before.held, own)) return response;
    return jsonResponse(response.status, merge(before.told, before.held, own));
  }

  /** Why a change cannot be made in the copy that the platform might make. @throws DocsError */
  #lacking({ operation }: Handler, { path }: Request, error: unknown): never {
    if (operation.id !== restored || !isHidden(error)) throw error;
    this.changes.add(unrestored);
    const why = 'The platform shows nothing of deleted spaces, so the copy cannot restore it.';
    throw refusal(404, `Space "${path.spaceId}" not found. ${why}`);
  }

  /** Reads what a change needs. Where that is hidden from the token, the platform's refusal is the answer. */
  async #prepare(handler: Handler, request: Request): Promise<void> {
    const needs = this.#needs(handler, request);
    const { first, next } = partsOfChange(needs);
    await this.#parts.need(...first);
    await this.#parts.want(...next(needs));
  }

  #needs(handler: Handler, request: Request): Needs {
    const row: Needs['row'] = (sql, ...values) => this.#twin.read(sql, ...values);
    return { handler, request, row, changed: this.#twin.changed };
  }

  /** The resource that a change answers with: as the platform tells it, and as the copy holds it of there. */
  async #shown(shown: Handler, request: Request): Promise<{ told: unknown; held: unknown } | undefined> {
    const url = pathFor(shown, request);
    const asked = { ...request, url, query: {}, body: undefined };
    const { before } = await this.#twin.both(shown, asked);
    if (!before.ok) return undefined;
    try {
      return { told: bodyOf((await this.#pass(url)).body), held: before.body };
    } catch (error) {
      if (isHidden(error)) return undefined;
      throw error;
    }
  }

  #mergePage(told: Envelope, before: unknown, after: unknown, { query }: Request): unknown {
    const { items: held, count: _, ...heldRest } = before as Envelope;
    const { items: now, count: __, ...nowRest } = after as Envelope;
    const { items, count, next, ...rest } = told;
    // Items without ids, as links, change by what they embed, which is worked in by itself.
    const isSame = held.length === now.length && held.some((item) => keyOf(item).startsWith('{'));
    const change = new ListChange(isSame ? [] : held, isSame ? [] : now, merge);
    const from = typeof query.page === 'string' ? this.#ends.get(query.page) : undefined;
    const place = { first: query.page === undefined, last: next === undefined, from };
    if (next !== undefined) this.#ends.set(next.page, items.at(-1));
    return {
      ...(merge(rest, heldRest, nowRest) as object),
      items: change.apply(items, place),
      ...(next !== undefined && { next }),
      ...(count !== undefined && { count: count + change.growth }),
    };
  }

  async #patched(told: Response, request: Request): Promise<unknown> {
    return this.#embedded.patch(bodyOf(told.body), request);
  }

  /** The answer of the platform, byte for byte. */
  async #pass(path: string): Promise<Response> {
    const { status, body } = await this.#platform.get({ method: 'GET', path, read: 'bytes' });
    return { status, body: body === undefined ? undefined : Buffer.from(body as Uint8Array) };
  }
}

function alike(before: Told, after: Told): boolean {
  if (before.ok && after.ok) return same(before.body, after.body);
  return !before.ok && !after.ok && before.error.message === after.error.message;
}

type Envelope = { items: unknown[]; count?: number; next?: { page: string } };

function isPage({ operation }: Handler, told: unknown): told is Envelope {
  return operation.returns.kind === 'page' && isObject(told) && Array.isArray(told.items);
}

function jsonResponse(status: number, body: unknown): Response {
  return { status, body: JSON.stringify(body) };
}

/** What shows the resource that a change answers with: at its path, or above it (`/move`). */
function resourceOf(handler: Handler): Handler | undefined {
  const { path, returns } = handler.operation;
  if (returns.kind !== 'one') return undefined;
  return readAt(path) ?? readAt(path.slice(0, path.lastIndexOf('/')));
}

const restored = 'spaces.restore';

const contentReads = new Map([...handlerOf].map(([{ id }, handler]) => [id, handler]));

/** What shows the content of a space in the same way as that of a change request. */
function mainContent({ operation }: Handler): Handler | undefined {
  const [, kind] = operation.id.split('change-request-content.');
  return kind === undefined ? undefined : contentReads.get(`content.${kind}`);
}

function pathFor({ operation }: Handler, { path }: Request): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
}

function isSame(a: unknown, b: Readonly<Record<string, unknown>>): boolean {
  return isObject(a) && a.id === b.id && a.object === b.object;
}
