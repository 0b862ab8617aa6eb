import type { ContentFile, Revision } from '../../api/resources/revisions.js';
import type { Entry } from '../content/revisions.js';
import { type ToldFile, type ToldReusable, toldColumn, toldOf } from '../content/told.js';
import { type FileRow, fileByVersion, hashOfFile, hashOfReusable, nameOf, put } from '../content/versions.js';
import { oidOf } from '../content/view.js';
import type { Database } from '../store/database.js';
import { idFrom } from '../store/ids.js';

/** A file as the platform answers it; a backup keeps no URL. */
export type CopiedFile = Omit<ContentFile, 'downloadURL'> & { downloadURL?: string };
type CopiedReusable = NonNullable<Revision['reusableContents']>[number];

/**
 * Puts a file of a space, and returns its entry. Call within a write.
 * @param bytes undefined if they could not be read: the file is then empty, in its told size
 * @param known the version that is there; kept if it is the same file
 */
export function putCopiedFile(
  db: Database,
  spaceId: string,
  file: CopiedFile,
  bytes: Uint8Array | undefined,
  known?: number,
): Entry {
  const { id, contentType, size } = file;
  const path = nameOf(file.git?.path ?? '') === '' ? file.name : (file.git?.path ?? file.name);
  const row = known === undefined ? undefined : fileByVersion(db, known);
  if (bytes === undefined && known !== undefined && row !== undefined && isSame(row, file, path))
    return { id, version: known };
  const base64 =
    bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  const hash = hashOfFile({ fileId: id, path, contentType }, base64);
  const told = toldColumn(toldOfFile(file, path, hash));
  const version = put(db, 'file_versions', {
    space_id: spaceId,
    hash: told === null ? hash : idFrom(JSON.stringify([hash, told])),
    file_id: id,
    path,
    content_type: contentType,
    size,
    ...file.dimensions,
    base64,
    told,
  });
  return { id, version };
}

function isSame(row: FileRow, file: CopiedFile, path: string): boolean {
  const { git = { oid: oidOf(row.hash) } } = toldOf<ToldFile>(row.told);
  return row.path === path && row.size === file.size && git?.oid === file.git?.oid;
}

function toldOfFile({ name, git }: CopiedFile, path: string, hash: string): ToldFile {
  const isOwn = git?.oid === oidOf(hash) && git.path === path;
  return {
    ...(name !== nameOf(path) && { name }),
    ...(!isOwn && { git: git === undefined ? null : { oid: git.oid, path: git.path } }),
  };
}

/** Puts a reusable content, whose text the platform does not tell. Call within a write. */
export function putCopiedReusable(db: Database, spaceId: string, reusable: CopiedReusable): Entry {
  const { id, title, document, git } = reusable;
  const path = git?.path ?? '';
  const hash = hashOfReusable({ reusableId: id, title, path, markdown: '' });
  const isOwn = git?.oid === oidOf(document ?? hash);
  const told: ToldReusable = {
    ...(document !== hash && { document: document ?? null }),
    ...(!isOwn && { git: git === undefined ? null : { oid: git.oid, path } }),
  };
  const column = toldColumn(told);
  const version = put(db, 'reusable_versions', {
    space_id: spaceId,
    hash: column === null ? hash : idFrom(JSON.stringify([hash, column])),
    reusable_id: id,
    title,
    path,
    markdown: '',
    told: column,
  });
  return { id, version };
}
