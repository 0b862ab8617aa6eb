import { isObject } from '../base/values.js';
import type { Resource } from '../jobs/request.js';
import { same } from '../jobs/state.js';
import type { KindName, Live, LiveItem } from '../organization/model.js';

/** Counts what differs between a backup and the platform in fields that no operation sets. */

interface Sides {
  saved: Live;
  live: Live;
}
type Counting = (sides: Sides) => number;

/** Fields of the platform's answer for a kind. */
export interface FieldsOf {
  kind: KindName;
  fields: readonly string[];
}

/** Each item of the backup with the one of the same id on the platform, where there is one. */
export function pairsOf(kind: KindName, saved: Live, live: Live): [LiveItem, LiveItem | undefined][] {
  const now = new Map((live.items.get(kind) ?? []).map((item) => [item.id, item]));
  return (saved.items.get(kind) ?? []).map((item) => [item, now.get(item.id)]);
}

/** Counts items by what the backup and the platform show of each. */
export function otherWhere(
  kind: KindName,
  isOther: (saved: Resource, live: Resource | undefined) => boolean,
): Counting {
  return ({ saved, live }) =>
    pairsOf(kind, saved, live).filter(([before, now]) => isOther(before.resource, now?.resource)).length;
}

/** Counts items that have another value in any of some fields; one that is gone had one to lose. */
export function otherIn({ kind, fields }: FieldsOf): Counting {
  return otherWhere(kind, (saved, live) => fields.some((field) => !same(saved[field], live?.[field])));
}

/** Counts items that the platform no longer has. */
export function goneFrom(kind: KindName): Counting {
  return otherWhere(kind, (_, live) => live === undefined);
}

export function iconOf({ urls }: Resource): unknown {
  return isObject(urls) ? urls.icon : undefined;
}

export function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Values of custom fields that spaces have now and had not. */
export function valuesSince({ saved, live }: Sides): number {
  return pairsOf('spaces', saved, live).reduce((sum, [before, now]) => {
    const [old, values] = [before.fields.fields, now?.fields.fields];
    if (!isObject(old) || !isObject(values)) return sum;
    return sum + Object.keys(values).filter((name) => isNone(old[name]) && !isNone(values[name])).length;
  }, 0);
}
