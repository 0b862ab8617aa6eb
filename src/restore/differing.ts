import { defaultLevelOf, type Levelled } from '../access/levels.js';
import { isObject } from '../base/values.js';
import type { Resource } from '../jobs/reads.js';
import { same } from '../jobs/state.js';
import type { KindName, Live, LiveItem } from '../organization/model.js';

/** Counts what differs between a backup and the platform in fields that no operation sets. */

export interface Sides {
  saved: Live;
  live: Live;
}

export type Counting = (sides: Sides) => number;

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

/**
 * A space that left its collection is private, which no operation changes, and inherits nothing. So its default level
 * is to be the one that it inherited: then who can access it stays the same.
 */

/** Whether a space inherited its level from its collection and can no longer. */
function hasLostLevel(saved: LiveItem, now: LiveItem | undefined): boolean {
  const inherited = saved.fields.default_level === 'inherit' && saved.resource.visibility === 'in-collection';
  return inherited && now?.resource.visibility === 'private';
}

/** How many spaces have a level of their own instead of the one that they inherited. */
export function lostLevels({ saved, live }: { saved: Live; live: Live }): number {
  return pairsOf('spaces', saved, live).filter(([before, now]) => hasLostLevel(before, now)).length;
}

/** The default levels that such spaces inherited in the backup, in the form of the files, by their ids. */
export function inheritedLevels(
  saved: Live,
  live: Live,
  now: (id: string) => string,
): ReadonlyMap<string, string> {
  const collections = new Map(
    (saved.items.get('collections') ?? []).map((one) => [one.id, levelled(one)] as const),
  );
  const present = new Map((live.items.get('spaces') ?? []).map((space) => [space.id, space]));
  const found = new Map<string, string>();
  for (const space of saved.items.get('spaces') ?? []) {
    if (!hasLostLevel(space, present.get(now(space.id)))) continue;
    const level = defaultLevelOf(
      { ...levelled(space), object: 'space', visibility: 'in-collection' },
      collections,
    );
    if (level.known) found.set(space.id, level.reaches ?? 'none');
  }
  return found;
}

function levelled({ id, title, parent, fields }: LiveItem): Levelled {
  const level = fields.default_level;
  return { id, title, parent: parent?.id, defaultLevel: level === 'none' ? null : String(level) };
}
