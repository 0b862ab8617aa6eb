import { getSpace } from '../../api/resources/spaces.js';
import { readAll } from '../../jobs/in-order.js';
import type { Reading } from '../../snapshot/unread.js';
import { about } from '../read/about.js';
import { placeOf, readParents, type SpacePlace, type Structure } from '../read/structure.js';
import type { Tally } from '../tally.js';

/**
 * Spaces by id, with the collections around them; what could not be read of these is in the tally.
 * @throws DocsError where one of the spaces cannot be read
 */
export async function namedSpaces(
  reading: Reading,
  ids: readonly string[],
  tally: Tally,
): Promise<{ spaces: SpacePlace[]; collections: Structure['collections'] }> {
  const around: Structure = { collections: new Map(), spaces: new Map(), unread: [] };
  const spaces = await readAll(reading, [...new Set(ids)], async (spaceId) =>
    placeOf(await reading.client.call(getSpace, { path: { spaceId } }, about('space', spaceId))),
  );
  await readParents(reading, around, spaces);
  tally.fail(...around.unread);
  return { spaces, collections: around.collections };
}
