import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { checkInput, type Issue, paging } from '../../api/validate.js';
import type { Handler } from '../handle.js';
import { createPager, type Pager } from '../paging.js';
import { type ChangeRequestRow, changeRequestIn } from '../records/in-path.js';
import { refusal } from '../refusal.js';
import { resolveScope, type Scope, type User } from '../scope.js';
import type { ContentSource } from '../sources.js';
import type { Database } from '../store/database.js';
import { type Clock, nextId } from '../store/rows.js';
import { WriteGroup } from '../store/write-group.js';
import { RowWatch } from './row-changes.js';

export interface Request {
  user: User;
  path: Readonly<Record<string, string>>;
  query: Record<string, unknown>;
  body: unknown;
  /** Path and query as sent. */
  url: string;
  /** Takes note of a change, within its own write; again if that was rolled back and is made once more. */
  wrote?: (response: Response) => void;
}

export interface Response {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** JSON; undefined for none. */
  body: Answer | undefined;
}

export interface ResponderParts {
  db: Database;
  clock: Clock;
  source: ContentSource;
  /** Address of the server; known once it listens. */
  origin(): string;
}

/** Answers requests: scope and role, then input, then the handler, in one transaction, which changes share. */
export class Responder {
  readonly #parts: ResponderParts;
  readonly #db: Database;
  readonly #answers: AnswerCache;
  readonly #watch: RowWatch;
  readonly #writes: WriteGroup;

  constructor(parts: ResponderParts) {
    this.#parts = parts;
    this.#db = parts.db;
    this.#answers = new AnswerCache(parts.db);
    this.#watch = new RowWatch(parts.db);
    this.#writes = new WriteGroup(parts.db);
  }

  /** @throws DocsError (a refusal) for every response but success */
  async respond(handler: Handler, request: Request): Promise<Response> {
    if (handler.operation.method !== 'GET') return this.#change(handler, request);
    const key = `${request.user.userId} ${request.url}`;
    const kept = this.#answers.get(key);
    if (kept !== undefined) return { status: 200, body: kept };
    const prepared = handler.prepare && (await this.#prepare(handler, request));
    const { response, timeless } = this.#db.read(() => this.#run(handler, request, prepared));
    if (timeless && response.body !== undefined) this.#answers.keep(key, response.body);
    return response;
  }

  async #change(handler: Handler, request: Request): Promise<Response> {
    const prepared = handler.prepare && (await this.#prepare(handler, request));
    const run = () => encoded(this.#run(handler, request, prepared).response);
    const { wrote } = request;
    if (wrote === undefined) return this.#writes.write(run);
    this.#watch.open();
    return this.#writes.write(() => this.#watch.during(run, wrote));
  }

  async #prepare(handler: Handler, request: Request): Promise<unknown> {
    const { prepare } = handler;
    const call = prepare && this.#db.read(() => this.#callOf(handler, request));
    return prepare?.(call, this.#parts.source);
  }

  #run(handler: Handler, request: Request, prepared?: unknown): { response: Response; timeless: boolean } {
    const call = this.#callOf(handler, request);
    const body = JSON.stringify(handler.run(call, prepared));
    return { response: { status: call.status, body }, timeless: !call.clock.wasRead };
  }

  /** Checks a request and creates the call for its handler. */
  #callOf(handler: Handler, request: Request): RunningCall {
    const { operation } = handler;
    const { user, path, query, body } = request;
    const scope = resolveScope(this.#db, handler, path, user);
    if (takesInput(operation, query)) refuseIssues(checkInput(operation, { path, query, body }, 'known'));
    if (operation.body === undefined) refuseBody(body);
    return new RunningCall(operation, request, scope, this.#parts);
  }
}

/**
 * What a handler receives (`Call`). What few handlers need is made when they ask for it. A class: of an object literal with
 * getters, V8 makes another layout for each request.
 */
class RunningCall {
  readonly path: Request['path'];
  readonly query: Request['query'];
  readonly body: unknown;
  readonly db: Database;
  readonly clock: WatchedClock;
  readonly caller: Scope['caller'];
  readonly org: Scope['org'];
  readonly space: Scope['space'];
  /** Of the response. */
  status: number;
  readonly newId = (): string => nextId(this.db);
  readonly succeedWith = (status: number): void => {
    this.status = status;
  };
  readonly #operation: AnyOperation;
  readonly #request: Request;
  readonly #parts: ResponderParts;
  #found: ChangeRequestRow | undefined;

  constructor(operation: AnyOperation, request: Request, scope: Scope, parts: ResponderParts) {
    this.path = request.path;
    this.query = filtersOf(operation, request.query);
    this.body = request.body ?? {};
    this.db = parts.db;
    this.clock = new WatchedClock(parts.clock);
    this.caller = scope.caller;
    this.org = scope.org;
    this.space = scope.space;
    this.status = typeof operation.success === 'number' ? operation.success : operation.success[0];
    this.#operation = operation;
    this.#request = request;
    this.#parts = parts;
  }

  get page(): Pager {
    const { page, limit } = this.#request.query;
    return createPager(this.db, listName(this.#operation, this.path, this.query), { page, limit });
  }

  get origin(): string {
    return this.#parts.origin();
  }

  get changeRequest(): ChangeRequestRow | undefined {
    const { changeRequestId: id } = this.path;
    if (id !== undefined) this.#found ??= changeRequestIn(this.db, this.space?.id ?? '', id);
    return this.#found;
  }
}

/** A clock that knows whether it was read. */
class WatchedClock implements Clock {
  wasRead = false;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    this.wasRead = true;
    return this.#clock.now();
  }
}

/** Whether there is input to check besides the path: what an empty segment names is not found, or nothing. */
function takesInput({ body, query: schema }: AnyOperation, query: Request['query']): boolean {
  return body !== undefined || schema.required !== undefined || Object.keys(query).length > 0;
}

/** `page` and `limit` belong to lists; elsewhere a parameter of that name is the operation's own. */
function filtersOf(operation: AnyOperation, query: Request['query']): Request['query'] {
  if (operation.returns.kind !== 'page') return query;
  const { page: _, limit: __, ...filters } = query;
  return filters;
}

function listName(operation: AnyOperation, path: object, filters: object): string {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([operation.id, path, sorted]);
}

function refuseIssues(issues: readonly Issue[] | undefined): void {
  const [issue] = issues ?? [];
  if (issue === undefined) return;
  throw refusal(400, [issue.where, issue.field, issue.message].filter(Boolean).join(' '));
}

function refuseBody(body: unknown): void {
  const empty = typeof body !== 'object' || body === null || Object.keys(body).length === 0;
  if (body !== undefined && !empty) throw refusal(400, 'this operation takes no body');
}

/** Parses a query string as declared. Values that do not fit stay strings, which the check refuses. */
export function readQuery(operation: AnyOperation, text: string): Record<string, unknown> {
  if (text === '') return {};
  const given = new URLSearchParams(text);
  const declared: Readonly<Record<string, TSchema>> = { ...operation.query.properties, ...paging };
  const keys = [...new Set(given.keys())];
  return Object.fromEntries(keys.map((key) => [key, readValue(declared[key], given.getAll(key))]));
}

function readValue(schema: TSchema | undefined, texts: string[]): unknown {
  if (schema?.type === 'array') return texts.map((text) => readScalar(schema.items as TSchema, text));
  return texts.length === 1 ? readScalar(schema, texts[0] ?? '') : texts;
}

function readScalar(schema: TSchema | undefined, text: string): unknown {
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const numeric = schema?.type === 'number' || schema?.type === 'integer';
  return numeric && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Encodes a short answer once, for the log and for the client. Of longer ones, the log keeps so many characters. */
function encoded(response: Response): Response {
  const { body } = response;
  if (typeof body === 'string' && body.length <= longText) response.body = Buffer.from(body);
  return response;
}

/** JSON, as text or as its bytes. */
export type Answer = string | Buffer;

const mostBytes = 32 * 1024 * 1024;
/** Longer responses are kept as bytes, encoded once; shorter strings go out faster, with their headers. */
const longText = 8192;

/**
 * Responses to reads, ready to send. They depend on the database, the caller and the URL alone, so they stay
 * valid until the database changes; those that depend on the clock are not kept.
 */
export class AnswerCache {
  readonly #db: Database;
  readonly #answers = new Map<string, Answer>();
  #generation = -1;
  #bytes = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  get(key: string): Answer | undefined {
    this.#turn();
    return this.#answers.get(key);
  }

  keep(key: string, text: Answer): void {
    this.#turn();
    const answer = text.length > longText ? Buffer.from(text) : text;
    if (this.#bytes + answer.length > mostBytes) return;
    this.#answers.set(key, answer);
    this.#bytes += answer.length;
  }

  #turn(): void {
    if (this.#generation === this.#db.generation) return;
    this.#answers.clear();
    this.#bytes = 0;
    this.#generation = this.#db.generation;
  }
}
