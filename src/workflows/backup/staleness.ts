import { createHash } from 'node:crypto';
import type { Space } from '../../api/resources/spaces.js';
import { DocsError } from '../../base/errors.js';
import { stringify } from '../../output/json.js';
import { readSpaceManifest, type SpaceManifest, spaceFolder, spaceManifestText } from './folder/manifest.js';
import { cleaned } from './read/cleaned.js';
import type { Reading } from './read/gathering.js';

/**
 * What of a space is read again. All of it is decided here, from what the last run left:
 *
 * 1. Lists are read in every run: values of fields, comments, open change requests and their comments.
 * 2. Settings are read again if the entry of the space in the list of spaces differs (`seenOf`).
 * 3. Pages and files, of the space and of a change request, are kept if their key is that of the last run
 *    (`lastKey`): the revision, for a change request with that of the space, and the seeds of computed
 *    pages, which change without a revision (read/computed.ts).
 * 4. Texts of replies are kept as long as the comment has as many, and the last reading is recent
 *    (`keepsReplies`): no list tells whether a reply was edited. The manifest says when they were read.
 *
 * Of a space whose manifest is not the one that the last run left, nothing is reused (folder/trust.ts).
 *
 * Two smaller decisions are made where the bytes are: a file of content (`versionOfFile` in read/content-version.ts)
 * and the content of an OpenAPI version (read/organization.ts) are fetched again if their version changed.
 */

/** How long texts of replies are kept without reading them: less than a day, so that daily runs read all. */
const repliesLastMs = 20 * 3_600_000;

/**
 * Whether replies of the last run may stand for those of the platform.
 * @param readAt when they were read; undefined if that is not known
 */
export function keepsReplies(readAt: string | undefined, full: boolean, nowMs: number): boolean {
  const age = nowMs - Date.parse(readAt ?? '');
  return !full && age >= 0 && age < repliesLastMs;
}

/** The key that a part of a space was last read by; undefined if it is to be read in any case. */
export function lastKey(old: SpaceManifest | undefined, full: boolean, part: string): string | undefined {
  return full ? undefined : old?.parts.find(({ name }) => name === part)?.key;
}

/** The manifest of the last run. One that cannot be parsed counts as none: everything is read again. */
export async function lastManifest(
  { folder }: Reading,
  { id }: Space,
  name: string,
): Promise<SpaceManifest | undefined> {
  try {
    const manifest = await readSpaceManifest(folder, spaceFolder(name));
    return manifest?.id === id ? manifest : undefined;
  } catch (cause) {
    if (cause instanceof DocsError && cause.code === 'bad_manifest') return undefined;
    throw cause;
  }
}

/** Whether a reading found what the last run had, all of it. */
export function isAsBefore(old: SpaceManifest | undefined, now: SpaceManifest): boolean {
  return old?.state === 'whole' && spaceManifestText(old) === spaceManifestText(now);
}

/** A hash of a space's entry in the list of spaces. */
export function seenOf(space: Space): string {
  return hash(cleaned(space));
}

export function hash(value: unknown): string {
  return createHash('sha256').update(stringify(value)).digest('hex');
}
