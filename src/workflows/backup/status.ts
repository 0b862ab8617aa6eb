import { type Static, Type } from '../../api/type.js';
import { workersIn } from '../../base/lock.js';
import { closed, oneOf, orNull, stateOf, text } from '../../output/printed-shapes.js';
import { fingerprintOf } from '../../signing/keys.js';
import { olderSpaces } from './ages.js';
import type { Folder } from './folder/folder.js';
import { type Manifest, manifestName, type SpaceEntry, spaceFolder } from './folder/manifest.js';
import { lockName } from './folder/open-folder.js';
import { trustInSpace } from './folder/trust.js';
import { signedBy } from './signature/signed-manifest.js';

/** What a backup says of itself, without the platform, and without reading pages and files. */

const facts = Type.Record(text, text, {
  description:
    'What is older than the last run, and since when it is as it was read: replies, access, space, …',
});

export const BackupStatus = closed({
  id: Type.String({ description: 'Id of the organization' }),
  title: text,
  /** Of the last run, finished or not. */
  state: stateOf('whole', 'partial', 'unfinished'),
  folder: text,
  platform: text,
  manifest: Type.String({
    description: 'Hash (SHA-256) of manifest.json, which identifies the whole backup',
  }),
  runs: Type.Integer({ description: 'Runs into this folder' }),
  startedAt: Type.String({ description: 'When the last run started' }),
  finishedAt: orNull(Type.String({ description: 'When the last run that finished did so' })),
  ageSeconds: orNull(Type.Integer({ description: 'Seconds since then' })),
  running: orNull(Type.String({ description: 'The process that writes to it now' })),
  signedBy: orNull(Type.String({ description: 'Fingerprint of the key that signed the manifest' })),
  counts: Type.Record(text, Type.Integer()),
  failed: Type.Integer({ description: 'Things that the last run could not read' }),
  notWhole: Type.Integer({ description: 'Spaces that are not whole' }),
  older: Type.Integer({ description: 'Spaces with facts that are older than the last run' }),
  accessReadAt: orNull(
    Type.String({ description: 'When permissions in spaces were read; null if the backup has none' }),
  ),
  olderFacts: facts,
  spaces: Type.Array(
    closed({ id: text, title: text, state: text, olderFacts: facts, changed: Type.Boolean() }),
    { description: 'Spaces that are not whole, hold older facts, or whose manifests were changed' },
  ),
  problems: Type.Array(oneOf('older', 'unfinished', 'partial', 'changed'), {
    description: 'older: than --max-age; changed: a manifest is not the one that the last run wrote',
  }),
});
export type BackupStatus = Static<typeof BackupStatus>;

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
