import type { Role } from '../../api/shapes.js';
import { notFound, refusal } from '../refusal.js';
import type { Caller, Org } from '../scope.js';
import type { Database } from '../store/database.js';

/**
 * The organization that a transfer goes to: the caller must be an administrator of both.
 * @returns its id
 * @throws 403 where the caller is no administrator here, 404 where it is unknown to the caller, 412
 *   where it cannot take the transfer: the caller is no administrator there, or it is the same one
 */
export function transferTarget(
  { db, org, caller }: { db: Database; org: Org; caller: Caller },
  targetId: string,
): string {
  if (caller.role !== 'admin') throw refusal(403, 'A transfer needs the role admin in the organization.');
  const sql = 'SELECT role FROM members WHERE org_id = ? AND user_id = ?';
  const member = db.get<{ role: Role | null }>(sql, targetId, caller.userId);
  if (member === undefined) throw notFound('organization', targetId);
  if (member.role !== 'admin') throw refusal(412, 'You are no administrator of the target organization.');
  if (targetId === org.id) throw refusal(412, 'The target organization already has it.');
  return targetId;
}
