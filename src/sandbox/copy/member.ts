import type { Member } from '../../api/resources/members.js';
import { type Role, roles } from '../../api/shapes.js';
import { countSpaces, type MemberRow, memberColumns, memberTables, toMember } from '../records/member.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { bit, msOf, msOrNull, tell, upsert } from './rows.js';
import { putUser } from './user.js';

/**
 * Puts a member and their user. Counts of teams and spaces are right once these are there and the member is put
 * again. Call within a write.
 */
export function putMember(db: Database, orgId: string, member: Member): void {
  const { user } = member;
  putUser(db, user);
  upsert(db, 'members', ['org_id', 'user_id'], {
    org_id: orgId,
    user_id: user.id,
    role: roleHere(member.role),
    disabled: bit(member.disabled),
    joined_at: msOf(member.joinedAt),
    last_seen_at: msOrNull(member.lastSeenAt),
    sso: bit(member.sso),
  });
  const key = { org_id: orgId, user_id: user.id };
  tell(db, { table: 'members', key }, member, () => ownMember(db, orgId, user.id));
}

function ownMember(db: Database, orgId: string, userId: string): Member {
  const sql = `SELECT ${memberColumns} FROM ${memberTables} WHERE m.org_id = ? AND m.user_id = ?`;
  return toMember(found(db.get<MemberRow>(sql, orgId, userId), 'member', userId), countSpaces(db, orgId));
}

/** A role that the sandbox does not know gives nothing here, as that of a guest; it is shown as told. */
function roleHere(role: string | null): Role | null {
  return roles.find((known) => known === role) ?? null;
}
