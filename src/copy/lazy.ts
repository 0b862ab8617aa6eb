import { type Client, createClient } from '../api/client.js';
import { getOrg, type Organization } from '../api/resources/orgs.js';
import type { DownloadOptions, TransportRequest, TransportResponse } from '../api/transport.js';
import { DocsError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { isObject } from '../base/values.js';
import { putMember, putOrganization } from '../sandbox/copy/organization.js';
import type { Handler } from '../sandbox/handle.js';
import { refusal } from '../sandbox/refusal.js';
import type { Front, Named } from '../sandbox/server/front.js';
import type { Request, Response } from '../sandbox/server/respond.js';
import type { Database } from '../sandbox/store/database.js';
import type { Store } from '../sandbox/store/store.js';
import {
  type CopyOptions,
  type CopySource,
  gapsAfter,
  lazyDifferences,
  makeToken,
  openEmpty,
  type RunningCopy,
  respondWith,
  serve,
  unrestored,
} from './copy.js';
import { Embedded } from './embedded.js';
import { Parts } from './loaders.js';
import { keyOf, ListChange, merge, same } from './merge.js';
import { type Needs, partsOfChange, partsOfRead } from './needs.js';
import { type Caller, callerGap, findCaller, isHidden, isRefusal, unread } from './platform.js';
import { Twin } from './twin.js';
import { bodyOf, type CopyAnswer, handlerOf, pathWith, readAt, Watch } from './watch.js';

/** Members of answers that hold the address of bytes: of a file, of a PDF, of a spec. */
const holders = /"(?:downloadURL|url)"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/**
 * The addresses of bytes that the platform named in its answers. A command sees them as they are, and has the copy
 * fetch them: with the limits that the platform's own client sets to addresses, and without any token elsewhere.
 */
class Addresses {
  readonly #platform: Pick<Client, 'download'>;
  readonly #named = new Set<string>();

  constructor(platform: Pick<Client, 'download'>) {
    this.#platform = platform;
  }

  /** Remembers the addresses in an answer of the platform. */
  note(answer: Uint8Array): void {
    const text = Buffer.from(answer.buffer, answer.byteOffset, answer.length).toString('utf8');
    for (const [, address = ''] of text.matchAll(holders)) this.#named.add(JSON.parse(address) as string);
  }

  /**
   * The bytes at an address.
   * @returns undefined unless the platform named it
   * @throws DocsError what is refused there, 400 for an address that the client does not take, 503 for the rest
   */
  async open(address: string, signal: AbortSignal): Promise<Named | undefined> {
    if (!this.#named.has(address)) return undefined;
    let head: { status: number; headers: Readonly<Record<string, string>>; length?: number } | undefined;
    try {
      const bytes = await this.#platform.download(address, {
        signal,
        onHead: (its) => {
          head = its;
        },
      });
      const type = head?.headers['content-type'] ?? 'application/octet-stream';
      return { bytes, type, ...(head?.length !== undefined && { length: head.length }) };
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (!(error instanceof DocsError) || error.kind === 'bug') throw error;
      const message = `the copy could not download from the platform: ${error.message}`;
      throw refusal(error.kind === 'bad-response' || error.kind === 'configuration' ? 400 : 503, message);
    }
  }
}

/** A request that a copy sent to the platform; status 0 where there was no response. */
interface Read {
  method: string;
  path: string;
  status: number;
}

interface Kept {
  atMs: number;
  bytes: number;
  answer: Promise<TransportResponse>;
}

/** What was read lately is not read again: a command, a change and its before and after ask for the same. */
const keptMs = 60_000;
const mostBytes = 32 * 1024 * 1024;

/**
 * The platform as a copy sees it: reads alone, and each address once a minute at most. Whoever asks for an
 * address that is being read waits for that one answer. A failure is kept as well, so that the retries of the
 * command are not multiplied by those of this client.
 */
export class Platform {
  /** What was read, in order. */
  readonly reads: Read[] = [];
  /** Sends the reads of declared operations. */
  readonly client: Client;
  /** Where it has the bytes of what it told. */
  readonly addresses = new Addresses(this);
  readonly #real: Client;
  readonly #io: Pick<Io, 'now'>;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(real: Client, io: Pick<Io, 'now'>) {
    this.#real = real;
    this.#io = io;
    this.client = createClient({
      send: async (request) => {
        const answer = await this.get(request);
        return { ...answer, body: parsed(answer.body as Uint8Array) };
      },
      download: (url, options) => this.download(url, options),
      platformNowMs: undefined,
      close: async () => {},
    });
  }

  /**
   * Reads an address of the API; the body of the response is its bytes.
   * @throws DocsError as `Transport`; `bug` for anything but a GET, of which nothing is sent
   */
  get({ method, path, signal }: TransportRequest): Promise<TransportResponse> {
    if (method !== 'GET') return Promise.reject(writeToPlatform(method, path));
    const kept = this.#kept.get(path);
    if (kept !== undefined && this.#io.now() - kept.atMs < keptMs) return kept.answer;
    const answer = this.#read(path, signal);
    answer.catch(() => {});
    this.#keep(path, answer);
    return answer;
  }

  /** Streams the bytes of an address that the platform named. @throws DocsError as `Transport` */
  async download(url: string, options: DownloadOptions): Promise<AsyncIterable<Uint8Array>> {
    const read = { method: 'GET', path: URL.canParse(url) ? new URL(url).pathname : url, status: 0 };
    this.reads.push(read);
    const onHead: DownloadOptions['onHead'] = (head) => {
      read.status = head.status;
      options.onHead?.(head);
    };
    return this.#real.download(url, { ...options, onHead });
  }

  async #read(path: string, signal: AbortSignal | undefined): Promise<TransportResponse> {
    const read: Read = { method: 'GET', path, status: 0 };
    this.reads.push(read);
    try {
      const headers = { accept: 'application/json' };
      const sent = { method: 'GET', path, read: 'bytes', headers, ...(signal && { signal }) } as const;
      const answer = await this.#real.send(sent);
      read.status = answer.status;
      const body = answer.body as Uint8Array | undefined;
      if (body !== undefined) this.addresses.note(body);
      this.#count(path, body?.length ?? 0);
      return answer;
    } catch (error) {
      if (error instanceof DocsError) read.status = error.failure.status ?? 0;
      if (error instanceof DocsError && error.kind === 'interrupted') this.#drop(path);
      throw error;
    }
  }

  #keep(path: string, answer: Promise<TransportResponse>): void {
    this.#drop(path);
    this.#kept.set(path, { atMs: this.#io.now(), bytes: 0, answer });
  }

  #count(path: string, bytes: number): void {
    const kept = this.#kept.get(path);
    if (kept === undefined) return;
    kept.bytes = bytes;
    this.#bytes += bytes;
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= mostBytes || oldest === path) break;
      this.#drop(oldest);
    }
  }

  #drop(path: string): void {
    this.#bytes -= this.#kept.get(path)?.bytes ?? 0;
    this.#kept.delete(path);
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new DocsError('bad-response', 'not_json', 'the response of the platform is not JSON', { cause });
  }
}

/** Whoever rehearses relies on it that the platform is only read. */
function writeToPlatform(method: string, path: string): DocsError {
  const message = `this is a bug in docs: ${method} ${path.split('?', 1)[0]} was not sent, because a copy only reads the platform`;
  return new DocsError('bug', 'read_only', message, { outcome: 'not-sent', hint: 'docs doctor' });
}

/**
 * Starts a copy of which each part is read from the platform when it is asked for.
 * @throws DocsError if the organization cannot be read, or the copy cannot be started
 */
export async function openLazy(
  { platform: client, organizationId, owner }: Extract<CopySource, { platform: Client }>,
  { file, io }: Omit<CopyOptions, 'source'>,
): Promise<RunningCopy> {
  const platform = new Platform(client, io);
  const org = await platform.client.call(getOrg, { path: { organizationId } });
  const store = await openEmpty(file, io);
  const pristine = await openEmpty(file === ':memory:' ? file : `${file}.platform`, io);
  try {
    const caller = await findCaller(platform.client, org, owner);
    return await start(platform, { org, caller }, store, pristine, io);
  } catch (error) {
    pristine.db.close();
    store.db.close();
    throw error;
  }
}

async function start(
  platform: Platform,
  { org, caller }: { org: Organization; caller: Caller },
  store: Store,
  pristine: Store,
  io: CopyOptions['io'],
): Promise<RunningCopy> {
  const { member } = caller;
  let url = '';
  const parts = respondWith(store, io, () => url);
  shareSecret(pristine.db, store.db);
  const twin = new Twin(pristine.db, parts);
  const gaps = new Set<string>();
  twin.put((db) => {
    putOrganization(db, org);
    putMember(db, org.id, member);
  });
  const loading = {
    client: platform.client,
    callerId: member.id,
    put: (work: Parameters<Twin['put']>[0]) => twin.put(work),
    row: <Row>(sql: string, ...values: string[]) => twin.read<Row>(sql, ...values),
    gap: (sentence: string) => void gaps.add(sentence),
  };
  const front = new LazyFront(platform, twin, new Parts(loading, (id) => twin.made(id)), org.id);
  const watch = new Watch(front);
  const token = makeToken(store.db, org.id, member.id);
  const served = await serve(parts, watch, io);
  url = served.url;
  return {
    ...{ url, token, organization: { id: org.id, title: org.title } },
    requests: () => [...watch.requests],
    look: (path) => watch.look(path),
    reads: () => platform.reads.map((read) => ({ ...read })),
    gaps: () => {
      const unknownCaller = front.changes.size === 0 ? undefined : callerGap(caller);
      const after = gapsAfter(lazyDifferences, front.changes);
      return [...gaps, ...after, ...(unknownCaller === undefined ? [] : [unknownCaller])];
    },
    async close() {
      await served.close();
      twin.close();
      store.db.close();
    },
  };
}

/** So that both name the same addresses of files, and these do not count as changed. */
function shareSecret(from: Database, to: Database): void {
  const key = 'download_secret';
  const secret = from.get<{ value: string }>('SELECT value FROM local_state WHERE key = ?', key)?.value ?? '';
  to.write(() => to.run('UPDATE local_state SET value = ? WHERE key = ?', secret, key));
}

/**
 * Answers as an organization would after the changes that were made in a copy of it. Reads go to the platform,
 * and what the copy changed is worked into the answer; of the platform a copy holds only what changes needed.
 */
class LazyFront implements Front {
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
    const [path, query = ''] = [pathWith(main.operation.path, request.path), request.url.split('?')[1]];
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
    throw refusal(404, `space "${path.spaceId}" not found. ${why}`);
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
    const url = pathWith(shown.operation.path, request.path);
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

function alike(before: CopyAnswer, after: CopyAnswer): boolean {
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

function isSame(a: unknown, b: Readonly<Record<string, unknown>>): boolean {
  return isObject(a) && a.id === b.id && a.object === b.object;
}
