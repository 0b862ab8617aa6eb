import type { AnyOperation } from '../../api/operation.js';
import type { Action } from '../../plans/plan.js';
import type { Address, KindName, LiveItem } from '../model.js';

/** Whether files or somebody by hand brought a difference about. */
export type Cause = 'change' | 'drift';

export type Shown = Record<string, { before?: unknown; after?: unknown }>;

/** A request on its way into the plan. */
export interface Operation {
  /** By which references name it until the order is settled. */
  id: string;
  kind: KindName;
  /** The item that it is about: of the files, or as the lock calls it. */
  address: Address;
  /** What people call the item. */
  key: string;
  action: Action;
  cause: Cause;
  op: AnyOperation;
  path: Readonly<Record<string, unknown>>;
  body?: Readonly<Record<string, unknown>>;
  fields: Shown;
  /** What must succeed first: what makes its ids, and what it waits for. */
  after: Set<Operation>;
  /** Lower ones come first where nothing else decides. */
  rank: readonly number[];
  risks: string[];
  /** What the platform has of it before; undefined where it is new. */
  live?: LiveItem;
  /** Entries of the lock that hold once it is done; null where it removes the item. */
  applied: Readonly<Record<string, string>> | null;
}

/** What the plan tells without a request. */
export interface Finding {
  kind: KindName;
  address: Address;
  key: string;
  action: 'finding' | 'withheld';
  /** undefined where it matters for both. */
  cause?: Cause;
  fields?: Shown;
  code: string;
  message: string;
  hint?: string;
}

/** The phases of a plan, as first part of a rank. */
export const phases = {
  /** With the place of the kind, from 0. */
  kinds: 0,
  places: 100,
  moves: 101,
  defaults: 102,
  /** Kinds that are about the organization as a whole. */
  settings: 103,
  removals: 200,
} as const;
