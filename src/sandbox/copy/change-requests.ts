import type { ChangeRequest } from '../../api/resources/change-requests.js';
import { type ChangeRequestRow, changeRequestIn, toChangeRequest } from '../records/change-request.js';
import { type SpaceRow, spaceById } from '../records/space.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { assumeBase } from './change-request-base.js';
import { type ContentOwner, type CopiedContent, putRevision } from './content.js';
import { msOf, tell, upsert } from './rows.js';
import { ensureUser } from './user.js';

/**
 * Puts a change request of a space whose content is there. Putting it again changes nothing. Its count of comments
 * is right once these are there and it is put again. Call within a write.
 * @param content of its revision; without it, the change request is empty until it is put with it
 */
export function putChangeRequest(
  db: Database,
  spaceId: string,
  request: ChangeRequest,
  content?: CopiedContent,
): void {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  const { id, createdBy } = request;
  if (createdBy !== undefined) ensureUser(db, createdBy);
  const base = request.revisionMergedAncestor ?? request.revisionInitial;
  upsert(db, 'change_requests', ['id'], {
    id,
    space_id: spaceId,
    number: request.number,
    status: request.status,
    subject: request.subject,
    created_by: createdBy?.id ?? null,
    created_at: msOf(request.createdAt),
    updated_at: msOf(request.updatedAt),
    revision_id: request.revision,
    revision_initial: request.revisionInitial,
    revision_merged_ancestor: request.revisionMergedAncestor ?? null,
    revision_merged: request.revisionMerged ?? null,
    current_at: !request.outdated && base !== space.revision_id ? space.revision_id : null,
  });
  if (content !== undefined) putRevision(db, ownerOf(spaceId, request), content);
  const row = changeRequestIn(db, spaceId, id);
  if (content !== undefined) putBase(db, space, row);
  tell(db, { table: 'change_requests', key: { id } }, request, () =>
    toChangeRequest(changeRequestIn(db, spaceId, id)),
  );
}

/** Whose content that of a change request is. */
export function ownerOf(spaceId: string, { id, number, createdBy }: ChangeRequest): ContentOwner {
  return { spaceId, changeRequest: { id, number, authorId: createdBy?.id ?? null } };
}

/** The content that it is based on, which is told nowhere, unless it is that of the space. */
function putBase(db: Database, space: SpaceRow, row: ChangeRequestRow): void {
  if (row.status !== 'draft' && row.status !== 'open') return;
  assumeBase(db, space, row);
}
