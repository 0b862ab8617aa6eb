import { defaultLevelOf, type Levelled } from '../access/levels.js';
import type { Live, LiveItem } from '../organization/model.js';
import { pairsOf } from './counts.js';

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
