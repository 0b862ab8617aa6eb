import { kinds } from '../kinds/index.js';
import { isSingle, layouts, markerOf, memberships, teamsKey } from './layout.js';
import { type FileOutline, namedInText } from './named-in-text.js';

/** What `namedInText` needs to know of each file, from the declarations of the kinds. */
export const fileOutlines: readonly FileOutline[] = layouts.map(({ file, single, singleKey }) => ({
  file,
  single: single && { name: single.name, key: singleKey },
  kinds: kinds
    .filter((kind) => kind.spot.file === file && !isSingle(kind))
    .map((kind) => ({
      name: kind.name,
      marker: markerOf(kind),
      apart: kind.fields.filter(({ map }) => map).map(({ key }) => key),
      inside:
        kind.spot.list === memberships.spot.list ? { name: memberships.name, key: teamsKey } : undefined,
    })),
}));

/** `namedInText`, with the outlines as they are declared. */
export function foreseen(folder: string): ReadonlySet<string> | undefined {
  return namedInText(folder, fileOutlines);
}
