import type { Space } from '../../api/resources/spaces.js';
import { found, refusal } from '../refusal.js';
import type { Database } from '../store/database.js';
import { type Columns, type Row, updateRow } from '../store/rows.js';

/**
 * The rows that the path of a request names: organization, space, change request. Every request may need them, so they are
 * apart from how resources are shown, which needs their declarations.
 */

export type OrgRow = Row<{
  text: 'id title';
  maybeText: 'hostname default_site logo billing_interval';
  maybeInteger: 'billing_end_date';
}>;

/** One organization, or undefined. */
export function orgById(db: Database, id: string): OrgRow | undefined {
  const read = () => db.get<OrgRow>('SELECT * FROM organizations WHERE id = ?', id);
  return db.remember(`organization ${id}`, read, ['organizations']);
}

export interface SpaceRow
  extends Row<{
    text: 'id org_id title emoji revision_id';
    maybeText: 'parent_id icon git_sync';
    integer: 'created_at';
    maybeInteger: 'deleted_at';
  }> {
  visibility: Space['visibility'];
  edit_mode: 'live' | 'locked';
  default_level: Space['defaultLevel'];
}

/** One space, deleted or not, or undefined. */
export function spaceById(db: Database, id: string): SpaceRow | undefined {
  const read = () => db.get<SpaceRow>('SELECT * FROM spaces WHERE id = ?', id);
  return db.remember(`space ${id}`, read, ofSpace);
}

const ofSpace = ['spaces'];

/** Changes columns of a space that this write has read. @returns the space as it is now */
export function updateSpace(db: Database, space: SpaceRow, changes: Columns): SpaceRow {
  const updated = updateRow(db, 'spaces', space, changes);
  db.keep(`space ${space.id}`, updated, ofSpace);
  return updated;
}

/** Columns of `users u`, for records that embed a user. */
export const userColumns = 'u.id AS user_id, u.display_name, u.email, u.photo_url, u.told AS user_told';

export interface UserColumns {
  user_id: string;
}

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
