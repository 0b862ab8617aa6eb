import type { GroupEntry } from './command.js';

/**
 * Other words for commands: names that they had before, and the group in which one at the root is shown. What was
 * typed, and what files such as journals, plans and policies name, is read with the words of today.
 */

type Groups = readonly Pick<GroupEntry, 'name' | 'ways'>[];

/** The path that words stand for; undefined where they stand for none. */
export function wayOf(words: readonly string[], groups: Groups): string | undefined {
  const typed = words.join(' ');
  return groups.flatMap(({ ways }) => (ways && Object.hasOwn(ways, typed) ? [ways[typed]] : []))[0];
}

/** The words of a command as it is called today: `trash restore` is `spaces trash restore`. */
export function presentWords(words: readonly string[], groups: Groups): readonly string[] {
  for (const length of [2, 1]) {
    const path = words.length < length ? undefined : wayOf(words.slice(0, length), groups);
    if (path !== undefined) return [...path.split(' '), ...words.slice(length)];
  }
  return words;
}

/** The same of a path. */
export function presentPath(path: string, groups: Groups): string {
  return presentWords(path.split(' '), groups).join(' ');
}

/** Where an entry of the root is shown: in a group, by the name that it has there. */
export function placeOf({ name, ways = {} }: Groups[number]): { group: string; as: string } | undefined {
  const words = Object.keys(ways).find((one) => ways[one] === name && one.includes(' '));
  const [group = '', as = ''] = words?.split(' ') ?? [];
  return words === undefined ? undefined : { group, as };
}

/** The entries that are shown in a group of the root, by the name that they have there. */
export function placedIn<Entry extends Groups[number]>(group: string, groups: readonly Entry[]): Entry[] {
  return groups.flatMap((entry) => {
    const place = placeOf(entry);
    return place?.group === group ? [{ ...entry, name: place.as }] : [];
  });
}

/** The entries that the root help shows. */
export function rootEntries<Entry extends Groups[number]>(groups: readonly Entry[]): Entry[] {
  return groups.filter((entry) => placeOf(entry) === undefined);
}
