import { getOrg } from '../../api/resources/orgs.js';
import type { Space } from '../../api/resources/spaces.js';
import { readAll } from '../../jobs/in-order.js';
import type { Distrusted } from './distrusted.js';
import type { RunOptions } from './execute.js';
import {
  type FailedEntry,
  failedEntry,
  type Manifest,
  type SpaceEntry,
  spaceFolder,
} from './folder/manifest.js';
import { namesOf } from './folder/names.js';
import { openFolder } from './folder/open-folder.js';
import { trustIn, trustInSpace } from './folder/trust.js';
import { findSpaces } from './read/find-spaces.js';
import type { Reading } from './read/gathering.js';
import { folderSink } from './read/sink.js';
import { walkSpace } from './read/space-walk.js';
import type { PlannedSpace } from './report.js';
import { isAsBefore, keepsReplies, lastManifest, seenOf } from './staleness.js';
import { Capture } from './verify/capture.js';

export interface Planned {
  spaces: PlannedSpace[];
  /** What could not be read. */
  failed: FailedEntry[];
  /** What is not as the last run left it: a run would set it aside. */
  distrusted: Omit<Distrusted, 'path'>[];
  /** As of `RunOutcome`. */
  anew: boolean;
}

/** What a run would do: sends every read that decides it, and writes nothing. Errors as in `runBackup`. */
export async function planBackup(options: RunOptions): Promise<Planned> {
  const { client, organization, platform, path, signal, concurrency, shard } = options;
  const org = await client.call(getOrg, { path: { organizationId: organization } });
  const { folder, last } = await openFolder(path, org.id, platform);
  const { previous, doubt } = await trustIn(folder, last, options.signer);
  const reading: Reading = { client, organizationId: org.id, folder, signal, concurrency };
  const found = await findSpaces(reading, previous?.spaces ?? [], shard);
  const failed = found.unread.map(failedEntry);
  const spaces = await planned(reading, found.spaces, options, previous, failed);
  const there = new Set(found.spaces.map(({ id }) => id));
  const gone = (previous?.spaces ?? []).filter(({ id }) => !there.has(id) && found.unread.length === 0);
  for (const { id, title } of gone) spaces.push({ id, title, state: 'removed' });
  const forged = spaces.filter(({ state }) => state === 'distrusted');
  const distrusted: Planned['distrusted'] = forged.map(({ id, title }) => ({ kind: 'space', id, title }));
  if (doubt === 'changed') distrusted.unshift({ kind: 'manifest', id: org.id });
  return { spaces, failed, distrusted, anew: doubt === 'not-signed' };
}

async function planned(
  reading: Reading,
  spaces: readonly Space[],
  options: RunOptions,
  previous: Manifest | undefined,
  failed: FailedEntry[],
): Promise<PlannedSpace[]> {
  const names = namesOf(spaces);
  const known = new Map((previous?.spaces ?? []).map((entry) => [entry.id, entry]));
  return readAll(reading, spaces, async (space): Promise<PlannedSpace> => {
    const { id, title } = space;
    if (previous === undefined) return { id, title, state: 'new' };
    const entry = known.get(id) ?? { id, title, folder: names.get(id) ?? id, state: 'planned' };
    const trust = await trustInSpace(reading.folder, entry, previous);
    if (trust === 'changed') return { id, title, state: 'distrusted' };
    if (trust === 'same' && (await isUnchanged(reading, space, entry, options, failed)))
      return { id, title, state: 'unchanged' };
    return { id, title, state: known.has(id) ? 'changed' : 'new' };
  });
}

/** Compares a space with the last run, unless the list of spaces shows a change already. */
async function isUnchanged(
  reading: Reading,
  space: Space,
  { folder, repliesReadAt }: SpaceEntry,
  { full, now }: RunOptions,
  failed: FailedEntry[],
): Promise<boolean> {
  const old = full ? undefined : await lastManifest(reading, space, folder);
  if (old?.state !== 'whole' || old.seen !== seenOf(space)) return false;
  const { holds } = folderSink(reading.folder);
  const sink = new Capture(`${spaceFolder(folder)}/`, old.files, holds);
  const keeps = keepsReplies(repliesReadAt, full, now());
  const how = { folder, old, full, keepsReplies: keeps, compares: true, readsSettings: false, sink };
  const { manifest } = await walkSpace(reading, space, how);
  failed.push(...manifest.failed);
  return isAsBefore(old, manifest);
}
