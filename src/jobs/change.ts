import type { LooseInput } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { pathParameters } from '../api/operation-facts.js';
import { DocsError } from '../base/errors.js';
import { isObject, replaceParts } from '../base/values.js';
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

/** Siblings in the required order. What else stands between them, and what is gone, does not matter. */
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

/** Why an operation cannot be used that another version of docs has. */
export function unknownOperation(id: string): DocsError {
  const message = `unknown operation ${id} in the journal: another version of docs wrote it`;
  const failure = { outcome: 'not-sent', hint: 'docs jobs list' } as const;
  return new DocsError('configuration', 'unknown_operation', message, failure);
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

/** Ids that an earlier change makes: how they are written, found, replaced and shown. */

/** What stands for an id until the change that makes it is done. */
export interface Reference {
  /** The id of that change: `o3`. */
  $from: string;
  /** Dotted path in its answer: `id`, `siteSpaces.0.id`. */
  path: string;
  /** Of what an undo makes anew: the id that it had, by which it is shown and read until then. */
  was?: string;
}

/** What a body calls the resource that it creates or changes; undefined where it has no name. */
export function nameIn({ body }: LooseInput): unknown {
  return isObject(body) ? (body.title ?? body.label ?? body.name) : undefined;
}

/** The id of a change by its place among those of its plan or job: the first is `o1`. */
export function changeId(index: number): string {
  return `o${index + 1}`;
}

/** The place of a change by its id. */
export function changeIndex(id: string): number {
  return Number(id.slice(1)) - 1;
}

export function isReference(value: unknown): value is Reference {
  if (!isObject(value)) return false;
  const { $from, path } = value;
  return typeof $from === 'string' && /^o[1-9]\d*$/.test($from) && typeof path === 'string';
}

/** A reference, and where it stands. */
interface PlacedReference extends Reference {
  /** The keys of its place in the value. */
  into: readonly string[];
}

export function findReferences(value: unknown, into: readonly string[] = []): PlacedReference[] {
  if (isReference(value)) return [{ ...value, into }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => findReferences(part, [...into, key]));
}

/** A copy of a value with each reference replaced; what has none stays the same object. */
export function replaceReferences<T>(value: T, by: (reference: Reference) => unknown): T {
  return replaceParts(value, isReference, by) as T;
}

function isTextOrReference(part: unknown): part is string | Reference {
  return typeof part === 'string' || isReference(part);
}

/** A value whose references name other changes, as when a plan is made of a part of another. */
export function renameReferences<T>(value: T, names: ReadonlyMap<string, string>): T {
  return replaceReferences(value, (one) => ({ ...one, $from: names.get(one.$from) ?? one.$from }));
}

/** How a reference is shown, and written where an id must be a text: `{o3.id}`. */
export function shownReference({ $from, path, was }: Reference): string {
  return was ?? `{${$from}.${path}}`;
}

/** A value whose references are texts. */
export function showReferences<T>(value: T): T {
  return replaceReferences(value, shownReference);
}

const shown = /^\{(o\d+)\.([\w.-]+)\}$/;

/** Whether a text stands for an id that an earlier change makes. */
export function isShownReference(text: string): boolean {
  return shown.test(text);
}

/** The way back. @param isMaker whether a change is one whose ids the value may name, as this text does */
export function parseReferences<T>(value: T, isMaker: (change: string, text: string) => boolean): T {
  return replaceParts(value, isTextOrReference, (part) => {
    const [, $from, path] = (typeof part === 'string' && shown.exec(part)) || [];
    return $from !== undefined && path !== undefined && isMaker($from, String(part)) ? { $from, path } : part;
  }) as T;
}

/** A path as a request has it, in which `{o3.id}` is not encoded. */
export function shownPath(path: string): string {
  return path.replace(/%7B(o\d+\.[\w.-]+)%7D/g, '{$1}');
}

/** A place in a value that a reference takes, in files whose value there is a text. */
export interface Take {
  from: string;
  /** The keys of the place: `['restores', 'input', 'path', 'teamId']`. */
  into: readonly string[];
  /** Default: `id`. */
  path?: string;
}

/** A value whose references to what is made anew are the former ids, and where they stand. */
export function withFormerIds<T>(value: T): { value: T; takes: Take[] } {
  const anew = findReferences(value).filter(({ was }) => was !== undefined);
  const takes = anew.map(({ $from, into, path }) => ({ from: $from, into, ...(path !== 'id' && { path }) }));
  return { value: replaceReferences(value, (reference) => reference.was ?? reference), takes };
}

/** The way back. */
export function withTakes<T>(value: T, takes: readonly Take[]): T {
  return takes.reduce<unknown>(
    (own, { from, into, path = 'id' }) =>
      put(own, into, (text) => {
        const was = typeof text === 'string' && !isShownReference(text) ? { was: text } : {};
        return { $from: from, path, ...was };
      }),
    value,
  ) as T;
}

/** A copy of a value with another part at a place, where there is such a place. */
function put(value: unknown, [key, ...rest]: readonly string[], by: (part: unknown) => unknown): unknown {
  if (key === undefined) return by(value);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  const part = put((value as Record<string, unknown>)[key], rest, by);
  if (Array.isArray(value)) return value.map((own, at) => (String(at) === key ? part : own));
  return { ...value, [key]: part };
}

/** A value in which former ids are references. @param makerOf the change that makes anew what had the id */
export function referTo<T>(makerOf: (formerId: string) => string | undefined, value: T): T {
  return replaceParts(value, isTextOrReference, (part) => {
    const $from = typeof part === 'string' ? makerOf(part) : undefined;
    return $from === undefined ? part : { $from, path: 'id', was: part };
  }) as T;
}
