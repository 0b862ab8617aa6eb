import { idOf, type Referred } from '../api/shapes.js';
import { isObject } from '../base/values.js';
import type { ColumnSource } from './columns.js';
import { safeLine } from './safe-text.js';

/** Titles in place of the ids by which items refer to other resources. For a person at a terminal alone. */

/** By dotted path, the kind of resource whose id it holds. */
export type References = Readonly<Record<string, Referred>>;

/** Finds titles of resources by their ids. */
export interface Titles {
  /** Looks up what the items refer to. Never fails, and ends soon: what was not found stays an id. */
  learn(items: readonly unknown[], refs: References, within?: ColumnSource['within']): Promise<void>;
  titleOf(kind: Referred, id: string): string | undefined;
}

/** A value with the titles that are known. */
export type Named = (value: unknown, withIds: boolean) => unknown;

/** What the columns of a view refer to; with `whole`, everything else that its shape names, too. */
export function referencesOf({ columns, refs = {} }: ColumnSource, whole: boolean): References {
  const own = columns.flatMap(({ path, titleOf = refs[path] }) =>
    titleOf ? [[path, titleOf] as const] : [],
  );
  return { ...(whole && refs), ...Object.fromEntries(own) };
}

/** Puts titles in place of the ids of a kind: `Handbook`, or `Handbook (x1)`. Ids without a title stay. */
export function naming(titles: Titles, kind: Referred): Named {
  const named: Named = (value, withIds) => {
    if (Array.isArray(value)) return value.map((one) => named(one, withIds));
    const id = idOf(value);
    if (id === undefined) return value;
    const title = ownTitle(value) ?? titles.titleOf(kind, id);
    if (title === undefined || title === '') return value;
    return withIds ? `${title} (${id})` : title;
  };
  return named;
}

function ownTitle(value: unknown): string | undefined {
  const title = isObject(value) ? value.title : undefined;
  return typeof title === 'string' ? safeLine(title) : undefined;
}
