import { isObject, replaceParts } from '../base/values.js';

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

/** The way back. @param isMaker whether a change is one whose ids the value may name */
export function parseReferences<T>(value: T, isMaker: (change: string) => boolean): T {
  return replaceParts(value, isTextOrReference, (part) => {
    const [, $from, path] = (typeof part === 'string' && shown.exec(part)) || [];
    return $from !== undefined && path !== undefined && isMaker($from) ? { $from, path } : part;
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
