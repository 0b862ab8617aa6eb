import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { AnyOperation, PathParameters } from '../api/operation.js';
import type { Role } from '../api/shapes.js';
import type { Page, Pager } from './paging.js';
import type { Caller, Org, SpaceInScope } from './scope.js';
import type { ContentSource } from './sources/content-source.js';
import type { Clock } from './store/clock.js';
import type { Database } from './store/database.js';

/** What a handler is given; `path`, `query` and `body` are checked against the operation before. */
export interface Call<Op> {
  readonly path: Readonly<Record<PathOf<Op>, string>>;
  readonly query: QueryOf<Op>;
  readonly body: BodyOf<Op>;
  readonly db: Database;
  /** Who asks: a user, with the role that counts here. */
  readonly caller: Caller;
  /** The organization of the path, of the path's space or collection; the caller is in it. */
  readonly org: Within<Op, 'organizationId' | 'spaceId' | 'collectionId', Org>;
  /** The space of the path; the caller can see it. */
  readonly space: Within<Op, 'spaceId', SpaceInScope>;
  readonly clock: Clock;
  readonly page: Pager;
  /** Where this sandbox is reached, such as `http://127.0.0.1:41234`: for what it serves itself. */
  readonly origin: string;
  /** A new id; only in a change. */
  newId(): string;
  /** Chooses among several declared success statuses; the first unless called. */
  succeedWith(status: number): void;
}

/** What an operation answers: the resource, a page with its further members, or nothing. */
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
type Within<Op, Name extends string, T> = PathOf<Op> & Name extends never ? undefined : T;

type Run<Op> = Op extends { returns: { kind: 'none' } }
  ? (call: Call<Op>) => void
  : (call: Call<Op>) => Answer<Op>;

/** An operation with the code that answers it. */
export interface Handler {
  readonly operation: AnyOperation;
  /** The least role or level of the caller. */
  readonly needs: Role;
  /** Whether the space of the path may be a deleted one. */
  readonly deletedToo: boolean;
  /** What must be awaited before the transaction; `run` is given its result. */
  readonly prepare?: (call: unknown, source: ContentSource) => Promise<unknown>;
  run(call: unknown, prepared: unknown): unknown;
}

/** Where a handler differs from its operation. */
interface HandlerOptions {
  /** A lower need than the operation's, because the handler itself checks who may. */
  needs?: Role;
  /** The space of the path may be a deleted one. */
  deletedToo?: boolean;
}

/**
 * Answers an operation. The whole run is one transaction; a `refusal` undoes it. Who may call is
 * checked before, from the operation's `needs`; a GET must not write.
 */
export function handle<Op extends AnyOperation>(
  operation: Op,
  run: Run<Op>,
  options: HandlerOptions = {},
): Handler {
  return {
    operation,
    needs: options.needs ?? operation.needs,
    deletedToo: options.deletedToo ?? false,
    run: (call) => (run as (call: Call<Op>) => unknown)(call as Call<Op>),
  };
}

/**
 * Answers an operation that needs content from a URL: `prepare` reads and parses it before the
 * transaction begins, once the caller and the input have been checked; `run` is given the result.
 * The check is repeated for `run`, as the state may have changed meanwhile.
 */
export function handlePrepared<Op extends AnyOperation, Prepared>(
  operation: Op,
  prepare: (call: Call<Op>, source: ContentSource) => Promise<Prepared>,
  run: (call: Call<Op>, prepared: Prepared) => Answer<Op>,
): Handler {
  return {
    operation,
    needs: operation.needs,
    deletedToo: false,
    prepare: (call, source) => prepare(call as Call<Op>, source),
    run: (call, prepared) => run(call as Call<Op>, prepared as Prepared),
  };
}
