import type { LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import type { PlannedRequest } from './request.js';
import type { State } from './state.js';

/** What is known of a changing operation: how its effect is read, and how it is taken back. */

/**
 * How far a change can be taken back: to what it was; in part, or to something like it; not at all.
 */
export type Sureness = 'exact' | 'best-effort' | 'none';

/** What undo will be able to do, as far as the request alone tells. */
export interface Forecast {
  undo: Sureness;
  /** Why it is not exact: a sentence without its full stop. */
  why?: string;
}

/** Reads of the platform. null where the platform says that there is no such thing. */
export interface Reads {
  one(op: AnyOperation, input: LooseInput): Promise<Resource | null>;
  /** All items of a list. */
  all(op: AnyOperation, input: LooseInput): Promise<Resource[] | null>;
}

export type Resource = Readonly<Record<string, unknown>>;

/** A change that was made. */
export interface Change {
  input: LooseInput;
  /** The state before it; undefined where it was not read. */
  before: State | undefined;
  /** What the platform answered to it; undefined where nothing, or where the answer was lost. */
  answer: unknown;
}

/** The request that takes a change back. */
export interface WayBack {
  undo: 'exact' | 'best-effort';
  why?: string;
  request: PlannedRequest;
  /**
   * The state that the change left: anything else means that it was changed since. Undefined where no
   * read tells.
   */
  expect: State | undefined;
}

export interface NoWayBack {
  undo: 'none';
  why: string;
}

export interface Rule {
  forecast(input: LooseInput): Forecast;
  /** The state that the request touches, by one read where the platform allows it. */
  read?(reads: Reads, input: LooseInput): Promise<State>;
  /**
   * When the state is read before the change: always, since undo or the trash needs it; or in jobs of
   * many alone, whose resumption compares it.
   */
  before?: 'always' | 'many';
  /** It makes something new: before it, there was nothing. */
  creates?: true;
  /** Only it brings the wanted state about: where that is not there, it was not done. */
  oneWay?: true;
  /** Sent twice it does what it does sent once, for ever. */
  harmless?: true;
  /** The answer is kept in the journal, since undo needs it; of what is made it always is. */
  keepsAnswer?: true;
  /** What is wrong with an answer that the platform counts as a success: a sentence. */
  refusedBy?(answer: unknown): string | undefined;
  /** The state, or the part of it, that the request is to bring about; undefined: no read can tell. */
  wanted?(input: LooseInput, before: State | undefined): State | undefined;
  /** Whether the state can tell at all if this request was done; true unless given. */
  tells?(input: LooseInput, before: State | undefined): boolean;
  back?(change: Change): WayBack | NoWayBack;
  /** Requests of this kind build on each other: one at a time, and undone from the last to the first. */
  inOrder?: true;
  /** How long it can be taken back at all, in milliseconds of the platform's clock. */
  withinMs?: number;
}

/** Rules by the id of their operation. */
export type Rules = Readonly<Record<string, Rule>>;
