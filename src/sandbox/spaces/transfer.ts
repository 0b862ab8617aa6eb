import type { Role } from '../../api/shapes.js';
import { notFound, refusal } from '../refusal.js';
import type { Caller, Org } from '../scope.js';
import type { Database } from '../store/database.js';

/**
 * Checks that the caller is an administrator of both organizations of a transfer.
 * @returns the id of the target
 * @throws 403 unless the caller is an administrator here; 404 if the target is unknown to the caller; 412
 *   unless the caller is an administrator there, or if both are the same
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
