import type { User } from '../../api/shapes.js';
import { toUser, type UserColumns, userColumns } from '../records/user.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { fold } from '../text/fold.js';
import { tell, upsert } from './rows.js';

/** Puts a user as the list of members has them. Call within a write. */
export function putUser(db: Database, user: User): void {
  const { id, displayName = id } = user;
  const email = freeEmail(db, user);
  upsert(db, 'users', ['id'], {
    id,
    display_name: displayName,
    email,
    folded: fold(`${displayName}\n${user.email ?? ''}`),
    photo_url: user.photoURL ?? null,
  });
  const read = () => db.get<UserColumns>(`SELECT ${userColumns} FROM users u WHERE u.id = ?`, id);
  tell(db, { table: 'users', key: { id } }, user, () => toUser(found(read(), 'user', id)));
}

/**
 * Puts the user that a comment, a change request or a team names, unless there is one: the list of members,
 * which is read first, tells more. Users outside the organization, such as authors who left, get a row.
 */
export function ensureUser(db: Database, user: User): void {
  if (db.get('SELECT 1 FROM users WHERE id = ?', user.id) === undefined) putUser(db, user);
}

/** Emails are unique here; a user without one, or with that of another user, gets one that nobody has. */
function freeEmail(db: Database, { id, email }: User): string {
  const taken = 'SELECT 1 FROM users WHERE email = ? AND id <> ?';
  if (email !== undefined && db.get(taken, email, id) === undefined) return email;
  return `${id}@unknown.invalid`;
}
