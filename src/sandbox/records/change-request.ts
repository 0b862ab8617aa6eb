import { ChangeRequest } from '../../api/resources/change-requests.js';
import { found, refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import type { Row } from '../store/rows.js';
import { apiUrl, appUrl } from './fields.js';
import { layoutOf } from './layout.js';
import { toUser, userColumns } from './org.js';

/** Columns of a change request, from `changeRequestTables`. */
export const changeRequestColumns = `cr.*, s.org_id, ${userColumns},
  cr.status <> 'merged' AND coalesce(cr.revision_merged_ancestor, cr.revision_initial) <> s.revision_id
    AND cr.current_at IS NOT s.revision_id AS outdated`;
export const changeRequestTables = `change_requests cr
  LEFT JOIN spaces s ON s.id = cr.space_id LEFT JOIN users u ON u.id = cr.created_by`;

/** The user is null if they no longer exist. */
export interface ChangeRequestRow
  extends Row<{
    text: 'id space_id org_id revision_id revision_initial';
    maybeText: 'user_id revision_merged_ancestor';
    integer: 'number created_at outdated';
  }> {
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

/** @throws 409 if it is merged or archived, when its content is final (platform-facts) */
export function requireOpen({ status, number }: ChangeRequestRow): void {
  if (status === 'draft' || status === 'open') return;
  const fact = `change request ${number} is ${status}`;
  throw refusal(409, `${fact}; only a draft or open one can be changed`);
}

export const changeRequestLayout = layoutOf(ChangeRequest, {
  computed: ['createdBy', 'urls'],
  columns: { revision: 'revision_id', comments: 'comments_open' },
  counted: ['comments', 'outdated'],
});

/** A change request (spec B, "Change request"). */
export function toChangeRequest(row: ChangeRequestRow): ChangeRequest {
  const { user_id } = row;
  return changeRequestLayout.item(row, {
    createdBy: user_id === null ? undefined : toUser({ ...row, user_id }),
    urls: {
      app: appUrl(`/o/${row.org_id}/s/${row.space_id}/~/changes/${row.number}`),
      location: apiUrl(`/spaces/${row.space_id}/change-requests/${row.id}`),
    },
  });
}
