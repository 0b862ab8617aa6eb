import type { LooseInput } from '../api/client.js';
import { type AnyOperation, pathParameters } from '../api/operation.js';
import { DocsError } from '../base/errors.js';
import { operationsOf } from '../model/operations.js';
import { changeId, type Reference, replaceReferences, shownReference } from './references.js';
import type { State } from './state.js';

/**
 * A change to the platform, from its proposal to its journal: what is sent, and what that is based on. A plan is a list of
 * changes with forecasts, a journal one with outcomes, an undo one that is made from a journal.
 */
export interface Change {
  op: AnyOperation;
  /** Here, in `expect`, `lock`, `covers`, `restores` and `proves` ids that earlier changes make are references. */
  input: LooseInput;
  /** What it is about: the last path parameter; '' where the path has none; of what an earlier change makes `{o3.id}`. */
  id: string;
  /** Flags of its command that decide whether it may be sent: the guard of the command knows them. */
  flags?: readonly string[];
  /** The state that the request must find; it fails where somebody else changed that. */
  expect?: State;
  /** Of a move: how what it moves, and what it puts it beside, must stand. */
  order?: readonly Order[];
  /** Earlier changes that must succeed first, by their places; it is skipped where one of them does not. */
  after?: readonly number[];
  /** The place of the change that it completes. */
  partOf?: number;
  /** The entry of the lock after it. */
  lock?: LockChange;
  /** Index of the item of the other job that it undoes. */
  undoes?: number;
  /** Of an undo: further items of the other job that it undoes, too. */
  covers?: readonly Covered[];
  /** Of an undo: fields whose values came from the environment, so no line of the journal holds them. */
  sealed?: readonly string[];
  /** Of the last request of an undo: the read that shows what was restored. */
  restores?: Restores;
  /** It is done only once a read shows the state that it asks for; its answer alone does not do. */
  confirms?: true;
  /** Of a read: what it must show; nothing that comes after it is sent otherwise. */
  proves?: readonly Proof<string | Reference>[];
  /** How long refusals are taken for the delay with which the platform shows what an earlier change made. */
  waitMs?: number;
}

/** A change at its place in a job. */
export interface JobChange extends Change {
  item: number;
  /** The operation of the plan that it comes from: `o3`. */
  operation?: string;
}

/** A change of what the job created, which its deletion undoes; or one that is one with another. */
export interface Covered {
  /** Its index in the job that is undone. */
  item: number;
  lock?: LockChange;
}

/** Siblings in the order in which they must stand. What else stands between them, and what is gone, does not matter. */
export interface Order {
  /** The one that is meant, which must be there. */
  of: string;
  ids: readonly string[];
}

/** What a change does to `docs.lock.json` once it is done. */
export interface LockChange {
  /** `teams/writers`. */
  item: string;
  /** The entry afterwards; null removes it. */
  to: LockEntry | null;
  /** The entry before, which undo brings back; absent where it only follows what both sides have, and from plans. */
  from?: LockEntry | null;
}

export interface LockEntry {
  id: string | Reference;
  /** By field of the file: the hash of the value that was last applied. */
  applied: Readonly<Record<string, string>>;
}

export interface Restores {
  /** What is restored, by the id that it had. */
  id: string;
  op: string;
  input: LooseInput;
  /** The state that the read must show; absent where no read shows it. */
  state?: State;
  undo: 'exact' | 'best-effort';
  /** What is not restored. */
  why?: string;
}

/** How much a space has. */
export interface Amount {
  pages: number;
  files: number;
}

/** The ids may be those that earlier items of the job make. */
export type Proof<Id = string> = SameContent<Id> | OnSite<Id>;

/** A copy of a space has as many pages and files as the space. */
export interface SameContent<Id> {
  proof: 'same-content';
  space: string;
  copy: Id;
  /** What the space had when the job was planned, for the case that somebody edits it after it was copied. */
  planned: Amount;
}

/** Site spaces stand on their site in this order, with their addresses, and the site shows them to its visitors. */
export interface OnSite<Id> {
  proof: 'on-site';
  organizationId: string;
  siteId: string;
  siteSpaces: readonly Id[];
  /** The section that they are in; null where the site has none. */
  section: Id | null;
  /** Whether each must have its published address. */
  urls: boolean;
  /** Whether visitors read the site, so that its published structure must have them, too. */
  published: boolean;
}

/** The id of a change of a job. */
export function changeOf({ operation, item }: Pick<JobChange, 'operation' | 'item'>): string {
  return operation ?? changeId(item);
}

/** Only plans and undos refer to other changes: what a command sends may have texts that look alike. */
export function mayRefer({ operation, undoes, partOf }: JobChange): boolean {
  return operation !== undefined || undoes !== undefined || partOf !== undefined;
}

/** A change with each of its references replaced. */
export function withReferences<C extends Change>(
  { op, ...data }: C,
  by: (reference: Reference) => unknown,
): C {
  return { ...replaceReferences(data, by), op } as C;
}

/** A change with the former ids, or `{o3.id}`, in place of its references. */
export function shownChange<C extends JobChange>(change: C): C {
  return mayRefer(change) ? withReferences(change, shownReference) : change;
}

/** An operation by its id. @throws DocsError configuration `unknown_operation` */
export function operationOf(id: string): AnyOperation {
  const [found] = operationsOf([id]);
  if (found !== undefined) return found;
  const message = `Unknown operation ${id} in the journal: another version of docs wrote it.`;
  const failure = { outcome: 'not-sent', hint: 'docs jobs list' } as const;
  throw new DocsError('configuration', 'unknown_operation', message, failure);
}

/**
 * The operation that a journal names. Of one of another version of docs only the id is known: whoever asks for more gets
 * the error of `operationOf`.
 */
export function operationIn(id: string): AnyOperation {
  if (isOperation(id)) return operationOf(id);
  return new Proxy({ id } as AnyOperation, { get: (_, key) => (key === 'id' ? id : operationOf(id)) });
}

/** Whether there is an operation with this id. */
export function isOperation(id: string): boolean {
  return operationsOf([id]).length > 0;
}

/** A request with those of the given path parameters that its operation has. */
export function requestFor(
  op: AnyOperation,
  path: Readonly<Record<string, string>> = {},
  body?: unknown,
): Change {
  const names = pathParameters(op.path);
  const own = Object.fromEntries(names.map((name) => [name, path[name] ?? '']));
  const input = { path: own, query: {}, ...(op.body !== undefined && { body: body ?? {} }) };
  return { op, input, id: own[names.at(-1) ?? ''] ?? '' };
}
