import type { ChangeRequest } from '../../api/resources/change-requests.js';
import { toUser, type UserColumns, userColumns } from '../handlers/people.js';
import { found, refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import type { Row } from '../store/rows.js';
import { apiUrl, appUrl, fields, withTold } from './fields.js';

/** Columns of a change request, from `changeRequestTables`. */
export const changeRequestColumns = `cr.*, s.org_id, ${userColumns},
  cr.status <> 'merged' AND coalesce(cr.revision_merged_ancestor, cr.revision_initial) <> s.revision_id
    AND cr.current_at IS NOT s.revision_id AS outdated`;
export const changeRequestTables = `change_requests cr
  LEFT JOIN spaces s ON s.id = cr.space_id LEFT JOIN users u ON u.id = cr.created_by`;

export interface ChangeRequestRow
  extends Omit<UserColumns, 'user_id'>,
    Row<{
      text: 'id space_id org_id subject revision_id revision_initial';
      maybeText: 'revision_merged_ancestor revision_merged told';
      integer: 'number created_at updated_at comments_open outdated';
    }> {
  /** Null if the user no longer exists. */
  user_id: string | null;
  status: 'draft' | 'open' | 'archived' | 'merged';
}

/** A change request of a space, by id or number. @throws 404 */
export function changeRequestIn(db: Database, spaceId: string, idOrNumber: string): ChangeRequestRow {
  const number = /^\d{1,9}$/.test(idOrNumber) ? Number(idOrNumber) : null;
  const row = db.get<ChangeRequestRow>(
    `SELECT ${changeRequestColumns} FROM ${changeRequestTables}
     WHERE cr.space_id = ? AND (cr.id = ? OR cr.number = ?)`,
    ...[spaceId, idOrNumber, number],
  );
  return found(row, 'change request', idOrNumber);
}

/** The same unless it is merged or archived, when its content is final (platform-facts). @throws 404, 409 */
export function openChangeRequestIn(db: Database, spaceId: string, idOrNumber: string): ChangeRequestRow {
  const row = changeRequestIn(db, spaceId, idOrNumber);
  if (row.status === 'draft' || row.status === 'open') return row;
  const fact = `Change request ${row.number} is ${row.status}`;
  throw refusal(409, `${fact}; only a draft or open one can be changed.`);
}

/** A change request (spec B, "Change request"). */
export function toChangeRequest(row: ChangeRequestRow): ChangeRequest {
  const { user_id } = row;
  const own: ChangeRequest = {
    object: 'change-request',
    ...fields(row, 'id', 'number', 'status', 'subject'),
    ...(user_id !== null && { createdBy: toUser({ ...row, user_id }) }),
    ...fields(row, 'created_at', 'updated_at'),
    revision: row.revision_id,
    ...fields(row, 'revision_initial', 'revision_merged_ancestor', 'revision_merged'),
    comments: row.comments_open,
    outdated: row.outdated === 1,
    urls: {
      app: appUrl(`/o/${row.org_id}/s/${row.space_id}/~/changes/${row.number}`),
      location: apiUrl(`/spaces/${row.space_id}/change-requests/${row.id}`),
    },
  };
  return withTold(own, row.told);
}
