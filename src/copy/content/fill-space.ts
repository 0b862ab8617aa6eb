import type { ChangeRequest } from '../../api/resources/change-requests.js';
import type { Space } from '../../api/resources/spaces.js';
import { type CopiedRevision, putContent } from '../../sandbox/copy/content.js';
import {
  type CopiedComment,
  type CopiedDiscussion,
  ownerOf,
  putChangeRequest,
  putComments,
} from '../../sandbox/copy/discussions.js';
import { putSpace } from '../../sandbox/copy/spaces.js';
import type { FileEntry } from '../../workflows/backup/folder/manifest.js';
import { FileMarks } from './file-marks.js';
import { contentFilesOf, type Filling, fillContent } from './fill-content.js';

/** Comments that are held at once. */
const batch = 200;

/**
 * Puts the content of a space of a backup, its comments, and its open change requests, a part at a time. The space
 * must be there, with the users and the OpenAPI specs of its organization.
 * @throws DocsError as the files; whatever aborts the signal
 */
export async function fillSpaceContent(filling: Filling, space: Space): Promise<void> {
  const { db, files } = filling;
  const main = await fillMain(filling, space.id);
  const requests = files.entries.filter(({ kind }) => kind === 'change-request');
  for (const entry of requests) await fillChangeRequest(filling, space.id, entry, main);
  await fillComments(filling, { spaceId: space.id });
  // Now its counts can be compared with what the copy has.
  db.write(() => putSpace(db, space));
}

/** @returns the revision; undefined if the backup could not read it */
async function fillMain(filling: Filling, spaceId: string): Promise<CopiedRevision | undefined> {
  const { db, files } = filling;
  const entry = entryOf(filling, 'content');
  if (entry === undefined) return undefined;
  const revision = await files.json<CopiedRevision>(entry);
  if (revision === undefined) return undefined;
  const marks = new FileMarks(revision.files);
  const content = await fillContent(filling, { spaceId }, revision, contentFilesOf(files, ''), marks);
  db.write(() => putContent(db, spaceId, content));
  return revision;
}

async function fillChangeRequest(
  filling: Filling,
  spaceId: string,
  entry: FileEntry,
  main: CopiedRevision | undefined,
): Promise<void> {
  const { db, files } = filling;
  const request = await files.json<ChangeRequest>(entry);
  if (request === undefined) return;
  const at = entry.path.slice(0, entry.path.lastIndexOf('/') + 1);
  const revision = await files.json<CopiedRevision>(entryOf(filling, 'content', request.id));
  if (revision === undefined) {
    db.write(() => putChangeRequest(db, spaceId, request));
  } else {
    const marks = new FileMarks(revision.files, main?.files ?? []);
    const own = contentFilesOf(files, at, request.id);
    const content = await fillContent(filling, ownerOf(spaceId, request), revision, own, marks);
    db.write(() => putChangeRequest(db, spaceId, request, content));
  }
  await fillComments(filling, { spaceId, changeRequestId: request.id });
  db.write(() => putChangeRequest(db, spaceId, request));
}

async function fillComments({ db, files, signal }: Filling, where: CopiedDiscussion): Promise<void> {
  const entry = entryOf({ files }, 'comments', where.changeRequestId);
  if (entry === undefined) return;
  let [waiting, from]: [CopiedComment[], number] = [[], 0];
  const put = () => {
    signal?.throwIfAborted();
    db.write(() => putComments(db, where, waiting, from));
    from += waiting.length;
    waiting = [];
  };
  for await (const item of files.items<CopiedComment>(entry)) {
    waiting.push(item);
    if (waiting.length >= batch) put();
  }
  if (waiting.length > 0) put();
}

/** @param changeRequest its id; undefined for what is of the space itself */
function entryOf({ files }: Pick<Filling, 'files'>, kind: string, changeRequest?: string) {
  return files.entries.find((entry) => entry.kind === kind && entry.changeRequest === changeRequest);
}
