import type { Role } from '../../api/shapes.js';
import { valueWithin } from '../records/custom-field.js';
import { notFound, refusal } from '../refusal.js';
import type { Caller, Org } from '../scope.js';
import type { Database } from '../store/database.js';

/**
 * The id of the target, if the caller is an administrator of both organizations.
 * @throws 403 if not of this one, 412 if not of the target or both are the same; 404 if it is unknown
 */
export function transferTarget(
  { db, org, caller }: { db: Database; org: Org; caller: Caller },
  targetId: string,
): string {
  if (caller.role !== 'admin') throw refusal(403, 'A transfer requires the role admin in the organization.');
  const sql = 'SELECT role FROM members WHERE org_id = ? AND user_id = ?';
  const member = db.get<{ role: Role | null }>(sql, targetId, caller.userId);
  if (member === undefined) throw notFound('organization', targetId);
  if (member.role !== 'admin') throw refusal(412, 'You are not an administrator of the target organization.');
  if (targetId === org.id) throw refusal(412, 'It already belongs to the target organization.');
  return targetId;
}

/**
 * Removes what the new organization of a space lacks: grants to teams and to users who are not members,
 * and custom field values without a field of the same name and type.
 */
export function settleSpace(db: Database, spaceId: string, orgId: string): void {
  db.run('DELETE FROM space_teams WHERE space_id = ?', spaceId);
  const members = 'SELECT user_id FROM members WHERE org_id = ?';
  db.run(`DELETE FROM space_users WHERE space_id = ? AND user_id NOT IN (${members})`, spaceId, orgId);
  for (const value of fieldValues(db, spaceId, orgId)) rebind(db, spaceId, value);
}

interface FieldValue {
  field_id: string;
  value: string;
  type: string;
  /** The organization's field of the same name and type, if any. */
  target_id: string | null;
  options: string | null;
}

function fieldValues(db: Database, spaceId: string, orgId: string): FieldValue[] {
  return db.all<FieldValue>(
    `SELECT v.field_id, v.value, own.type, target.id AS target_id, target.options
     FROM space_field_values v JOIN custom_fields own ON own.id = v.field_id
     LEFT JOIN custom_fields target
       ON target.org_id = ? AND target.name = own.name AND target.type = own.type
     WHERE v.space_id = ?`,
    orgId,
    spaceId,
  );
}

function rebind(db: Database, spaceId: string, field: FieldValue): void {
  const kept = valueWithin(field.value, field);
  db.run('DELETE FROM space_field_values WHERE space_id = ? AND field_id = ?', spaceId, field.field_id);
  if (field.target_id === null || kept === undefined) return;
  const sql = 'INSERT INTO space_field_values (space_id, field_id, value) VALUES (?, ?, ?)';
  db.run(sql, spaceId, field.target_id, kept);
}
