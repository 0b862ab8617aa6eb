import type { Folder } from './folder.js';
import { type SpaceEntry, spaceFolder } from './manifest.js';
import { type Named, namesOf } from './names.js';

/**
 * Gives each space its folder; the folder of a renamed space moves.
 * @param entries those of the last run; each space gets one
 * @param keepsOthers whether spaces that are not among them may still exist, and keep their names
 */
export async function placeSpaces(
  folder: Folder,
  entries: Map<string, SpaceEntry>,
  spaces: readonly Named[],
  keepsOthers: boolean,
): Promise<void> {
  const others = keepsOthers ? [...entries.values()] : [];
  const names = namesOf([...new Map([...others, ...spaces].map((space) => [space.id, space])).values()]);
  for (const { id, title } of spaces) {
    const old = entries.get(id);
    const name = names.get(id) ?? id;
    if (old !== undefined && old.folder !== name) {
      const [from, to] = [spaceFolder(old.folder), spaceFolder(name)];
      const free = (await folder.stat(to)) === undefined;
      if (free && (await folder.stat(from))?.isDirectory()) await folder.move(from, to);
    }
    entries.set(id, { ...(old ?? { state: 'planned' }), id, title, folder: name });
  }
}
