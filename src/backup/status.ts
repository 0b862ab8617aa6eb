import { workersIn } from '../base/lock.js';
import { fingerprintOf } from '../signing/keys.js';
import { olderSpaces } from './ages.js';
import type { Folder } from './folder.js';
import { lockName, type Manifest, manifestName, type SpaceEntry, signedBy, spaceFolder } from './manifest.js';
import type { BackupStatus } from './shapes.js';
import { trustInSpace } from './trust.js';

/** What a backup says of itself, without the platform, and without reading pages and files. */

/** @param text the manifest, as it was read */
export async function statusOf(
  { folder, manifest, text: read }: { folder: Folder; manifest: Manifest; text: string },
  nowMs: number,
): Promise<BackupStatus> {
  const running = workersIn(folder.root).get(lockName) ?? null;
  const signed = await signedBy(folder, read);
  const changed = running === null ? await changedSpaces(folder, manifest) : [];
  const { state, organization, platform, startedAt, counts, failed, accessReadAt = null } = manifest;
  const finished = manifest.state === 'unfinished' ? manifest.lastFinished : manifest;
  const finishedAt = finished?.finishedAt ?? null;
  const age = finishedAt === null ? Number.NaN : Math.floor((nowMs - Date.parse(finishedAt)) / 1000);
  const notWhole = manifest.spaces.filter((space) => space.state !== 'whole');
  const older = olderSpaces(manifest);
  const noted = new Set<SpaceEntry['id']>([...notWhole, ...older, ...changed].map(({ id }) => id));
  const problems: BackupStatus['problems'] = [];
  if (state === 'unfinished' && running === null) problems.push('unfinished');
  if (finished?.state === 'partial') problems.push('partial');
  if (signed === 'changed' || changed.length > 0) problems.push('changed');
  return {
    ...organization,
    state,
    folder: folder.root,
    platform,
    manifest: (await folder.digest(manifestName))?.sha256 ?? '',
    runs: manifest.runs + 1,
    startedAt,
    finishedAt,
    ageSeconds: Number.isNaN(age) ? null : age,
    running,
    signedBy: signed === undefined || signed === 'changed' ? null : fingerprintOf(signed.by),
    counts: { ...counts },
    failed: failed.length,
    notWhole: notWhole.length,
    older: older.length,
    accessReadAt,
    olderFacts: { ...manifest.older },
    spaces: manifest.spaces
      .filter(({ id }) => noted.has(id))
      .map(({ id, title, state: its, older: olderFacts = {} }) => {
        return {
          id,
          title,
          state: its,
          olderFacts: { ...olderFacts },
          changed: changed.some((one) => one.id === id),
        };
      }),
    problems,
  };
}

/** Spaces whose manifests are not those that the last run left. */
async function changedSpaces(folder: Folder, manifest: Manifest): Promise<SpaceEntry[]> {
  const changed: SpaceEntry[] = [];
  for (const space of manifest.spaces) {
    const path = `${spaceFolder(space.folder)}/${manifestName}`;
    const isMissing = space.sha256 !== undefined && (await folder.stat(path)) === undefined;
    if (isMissing || (await trustInSpace(folder, space, manifest)) === 'changed') changed.push(space);
  }
  return changed;
}
