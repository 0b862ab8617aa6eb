import { getOrg } from '../../api/resources/orgs.js';
import type { Space } from '../../api/resources/spaces.js';
import { readAll } from '../../jobs/in-order.js';
import type { Listed } from '../reading/spaces.js';
import type { RunOptions } from './execute.js';
import type { Manifest } from './folder/manifest.js';
import { namesOf } from './folder/names.js';
import { openFolder } from './folder/open-folder.js';
import { trustIn, trustInSpace } from './folder/trust.js';
import { findSpaces } from './read/find-spaces.js';
import type { Reading } from './read/gathering.js';
import type { PlannedSpace } from './report.js';
import { turnAfter, unchangedSpace } from './staleness.js';

/** What a run would do: sends every read that decides it, and writes nothing. Errors as in `runBackup`. */
export async function planBackup(options: Omit<RunOptions, 'now'>): Promise<Listed<PlannedSpace>> {
  const { client, organization, platform, path, signal, concurrency } = options;
  const org = await client.call(getOrg, { path: { organizationId: organization } });
  const { folder, last } = await openFolder(path, org.id, platform);
  const { previous } = await trustIn(folder, last, options.signer);
  const reading: Reading = { client, organizationId: org.id, folder, signal, concurrency };
  const found = await findSpaces(reading, previous?.spaces ?? []);
  const spaces = await planned(reading, found.spaces, options.full, previous);
  const there = new Set(found.spaces.map(({ id }) => id));
  const gone = (previous?.spaces ?? []).filter(({ id }) => !there.has(id) && found.unread.length === 0);
  for (const { id, title } of gone) spaces.push({ id, title, state: 'removed' });
  return { spaces, unread: found.unread };
}

async function planned(
  reading: Reading,
  spaces: readonly Space[],
  full: boolean,
  previous: Manifest | undefined,
): Promise<PlannedSpace[]> {
  const names = namesOf(spaces);
  const known = new Map((previous?.spaces ?? []).map((entry) => [entry.id, entry]));
  return readAll(reading, spaces, async (space): Promise<PlannedSpace> => {
    const { id, title } = space;
    const folder = known.get(id)?.folder ?? names.get(id) ?? id;
    if (previous === undefined) return { id, title, state: 'new' };
    const entry = known.get(id);
    if (entry !== undefined && (await trustInSpace(reading.folder, entry, previous)) !== 'same')
      return { id, title, state: 'changed' };
    if (await unchangedSpace(reading, space, { folder, full, turn: turnAfter(previous) }))
      return { id, title, state: 'unchanged' };
    return { id, title, state: known.has(id) ? 'changed' : 'new' };
  });
}
