import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { AnyOperation, PathParameters } from '../api/operation.js';
import type { Document, Role } from '../api/shapes.js';
import type { Page, Pager } from './paging.js';
import type { ChangeRequestRow, SpaceRow } from './records/in-path.js';
import type { Caller, Org } from './scope.js';
import type { ContentSource } from './sources.js';
import type { Database } from './store/database.js';
import type { Clock } from './store/rows.js';

/**
 * What a handler receives; `path`, `query` and `body` have been checked against the operation. A spread of it lacks
 * `changeRequest`, `page` and `origin`, which are made when they are asked for.
 */
export interface Call<Op> {
  readonly path: Readonly<Record<PathOf<Op>, string>>;
  readonly query: QueryOf<Op>;
  readonly body: BodyOf<Op>;
  readonly db: Database;
  /** The user who calls, with the role that applies here. */
  readonly caller: Caller;
  /** The organization of the path, or of its space or collection; the caller belongs to it. */
  readonly org: Within<Op, 'organizationId' | 'spaceId' | 'collectionId', Org>;
  /** The space of the path; the caller can see it. */
  readonly space: Within<Op, 'spaceId', SpaceRow>;
  /** The change request of the path, by id or number; undefined for what is of the space. @throws 404 when it is read */
  readonly changeRequest: InChangeRequest<Op>;
  readonly clock: Clock;
  readonly page: Pager;
  /** This sandbox's address, such as `http://127.0.0.1:41234`, for URLs it serves itself. */
  readonly origin: string;
  /** A new id; not available to a GET. */
  newId(): string;
  /** Chooses among the declared success statuses; default the first. */
  succeedWith(status: number): void;
}

/** What an operation returns: the resource, a page with its extra members, or nothing. */
export type Answer<Op> = Op extends { returns: infer R }
  ? R extends { kind: 'one'; schema: infer S extends TSchema }
    ? Static<S>
    : R extends { kind: 'page'; item: infer I extends TSchema }
      ? Page<Static<I>> & Extra<R>
      : undefined
  : never;

type Extra<R> = R extends { extra: infer E extends TObject } ? Static<E> : unknown;
type PathOf<Op> = Op extends { path: infer P extends string } ? PathParameters<P> : never;
type QueryOf<Op> = Op extends { query: infer Q extends TObject } ? Static<Q> : never;
type BodyOf<Op> = Op extends { body: infer B } ? (B extends TSchema ? Static<B> : undefined) : never;
type InChangeRequest<Op> = PathOf<Op> & 'changeRequestId' extends never
  ? ChangeRequestRow | undefined
  : ChangeRequestRow;
type Within<Op, Name extends string, T> = PathOf<Op> & Name extends never ? undefined : T;

type Run<Op> = [Op] extends [{ returns: { kind: 'none' } }]
  ? (call: Call<Op>) => void
  : (call: Call<Op>) => Answer<Op>;

export interface Handler {
  readonly operation: AnyOperation;
  /** The lowest role or level allowed to call. */
  readonly needs: Role;
  readonly deletedToo: boolean;
  /** Awaited before the transaction; `run` receives its result. */
  readonly prepare?: (call: unknown, source: ContentSource) => Promise<unknown>;
  run(call: unknown, prepared: unknown): unknown;
}

interface HandlerOptions {
  /** A lower role than the operation's, for handlers that check permissions themselves. */
  needs?: Role;
  deletedToo?: boolean;
}

/** Answers an operation. `run` is one transaction, which a `refusal` rolls back; for a GET it must not write. */
export function handle<Op extends AnyOperation>(
  operation: Op,
  run: NoInfer<Run<Op>>,
  options: HandlerOptions = {},
): Handler {
  return {
    operation,
    needs: options.needs ?? operation.needs,
    deletedToo: options.deletedToo ?? false,
    run: (call) => (run as (call: Call<Op>) => unknown)(call as Call<Op>),
  };
}

/** Answers several operations in the same way, such as those of a space and of a change request. */
export function handleAll<Op extends AnyOperation>(
  operations: readonly Op[],
  run: NoInfer<Run<Op>>,
): Handler[] {
  return operations.map((operation) => handle(operation, run));
}

/**
 * Answers an operation that needs content from a URL, or a package that few calls need: `prepare` is awaited
 * before the transaction begins. Caller and input are checked before both, as the state may change in between.
 */
export function handlePrepared<Op extends AnyOperation, Prepared>(
  operation: Op,
  prepare: (call: Call<Op>, source: ContentSource) => Promise<Prepared>,
  run: (call: NoInfer<Call<Op>>, prepared: NoInfer<Prepared>) => Answer<Op>,
): Handler {
  return {
    operation,
    needs: operation.needs,
    deletedToo: false,
    prepare: (call, source) => prepare(call as Call<Op>, source),
    run: (call, prepared) => run(call as Call<Op>, prepared as Prepared),
  };
}

/** What shows a text as a document, where that is asked for (content/document.ts). */
export type DocumentOf = ((markdown: string) => Document) | undefined;

/** Answers operations that show texts in the format a call asks for; the parser of documents is loaded then. */
export function handleInFormat<Op extends AnyOperation>(
  operations: readonly Op[],
  run: (call: NoInfer<Call<Op>>, documentOf: DocumentOf) => NoInfer<Answer<Op>>,
): Handler[] {
  const inFormat = async ({ query }: Call<Op>): Promise<DocumentOf> => {
    const { format } = query as { format?: string };
    return format === 'document' ? (await import('./content/document.js')).documentOf : undefined;
  };
  return operations.map((operation) => handlePrepared(operation, inFormat, run));
}

const mostRounds = 100;

/** Work that falls due by the clock, such as the end of a restore window. */
export interface PendingWork {
  /** SQL for the time in milliseconds at which the next piece is due; null if there is none. */
  due: string;
  tables: readonly string[];
  /** Finishes everything due at `now`, in the open transaction. */
  finish(db: Database, now: number): void;
}

/** Finishes work that is due, before every request; repeats if that makes further work due at once. */
export function finishPending(db: Database, works: readonly PendingWork[], now: number): void {
  for (let round = 0; dueAt(db, works) <= now; round += 1) {
    if (round === mostRounds) throw new Error('Pending work stays due after it was finished.');
    db.write(() => {
      for (const work of works) work.finish(db, now);
    });
  }
}

function dueAt(db: Database, works: readonly PendingWork[]): number {
  const { sql, tables } = duesOf(works);
  const compute = () => db.get<{ due: number | null }>(sql)?.due ?? Number.POSITIVE_INFINITY;
  return db.remember('due', compute, tables);
}

interface Dues {
  sql: string;
  tables: readonly string[];
}

const known = new WeakMap<readonly PendingWork[], Dues>();

/** Made once: it is asked for before every request. */
function duesOf(works: readonly PendingWork[]): Dues {
  const made = known.get(works);
  if (made !== undefined) return made;
  const dues = {
    sql: `SELECT min(due) AS due FROM (${works.map(({ due }) => `SELECT (${due}) AS due`).join(' UNION ALL ')})`,
    tables: works.flatMap(({ tables }) => tables),
  };
  known.set(works, dues);
  return dues;
}
