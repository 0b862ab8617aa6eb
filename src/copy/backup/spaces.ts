import type { Space } from '../../api/resources/spaces.js';
import { type FieldValueItem, putFieldValues } from '../../sandbox/copy/organization.js';
import { putSpace } from '../../sandbox/copy/spaces.js';
import { Digest } from '../../workflows/backup/folder/digest.js';
import { manifestName, type SpaceEntry, spaceFolder } from '../../workflows/backup/folder/manifest.js';
import type { BackupReader } from '../../workflows/backup/reader.js';
import { fillSpaceContent } from '../content/fill-space.js';
import type { Filling } from './parts.js';
import { changedInBackup, VerifiedFiles } from './verified-files.js';

/**
 * Puts a space with all that the backup has of it.
 * @returns the file of the space itself, for `settleSpace`; undefined if no run has read it
 */
export async function fillSpace(
  filling: Filling,
  reader: BackupReader,
  entry: SpaceEntry,
): Promise<VerifiedFiles | undefined> {
  const { db, orgId, gaps, signal } = filling;
  const files = await filesOf(reader, entry);
  const own = files?.find('space', entry.id);
  const space = await files?.json<Space>(own);
  if (files === undefined || own === undefined || space === undefined) {
    gaps.push(`Space ${entry.title} is not in the backup.`);
    return undefined;
  }
  const here = { ...space, organization: orgId };
  putSpace(db, here);
  const values = await files.json<FieldValueItem[]>(files.find('fields'));
  if (values !== undefined) putFieldValues(db, space.id, values);
  await fillSpaceContent({ db, files, signal }, here);
  await files.checkRest();
  return new VerifiedFiles(reader, atOf(entry), [own]);
}

/** Puts a space again, so that its counts and its address are those of the backup. */
export async function settleSpace({ db, orgId }: Filling, files: VerifiedFiles): Promise<void> {
  const space = await files.json<Space>(files.find('space'));
  if (space !== undefined) putSpace(db, { ...space, organization: orgId });
}

/** The files of a space, if its manifest is the one that the manifest at the top has. */
async function filesOf(reader: BackupReader, entry: SpaceEntry): Promise<VerifiedFiles | undefined> {
  const { sha256 } = entry;
  if (sha256 === undefined) return undefined;
  const at = atOf(entry);
  const manifest = await reader.space(entry);
  const path = at + manifestName;
  const digest = new Digest();
  if (manifest !== undefined) digest.add(await reader.text(path));
  if (manifest?.id !== entry.id || digest.result(path).sha256 !== sha256) throw changedInBackup(reader, path);
  return new VerifiedFiles(reader, at, manifest.files);
}

function atOf({ folder }: SpaceEntry): string {
  return `${spaceFolder(folder)}/`;
}
