import type { User } from '../../api/shapes.js';
import { withTold } from './told.js';
import { apiUrl } from './urls.js';

/** Columns of `users u`, for records that embed a user. */
export const userColumns = 'u.id AS user_id, u.display_name, u.email, u.photo_url, u.told AS user_told';

export interface UserColumns {
  user_id: string;
  display_name: string;
  email: string;
  photo_url: string | null;
  user_told: string | null;
}

/** The embedded user (spec A, "Shared shapes"). */
export function toUser(row: UserColumns): User {
  const own: User = {
    object: 'user',
    id: row.user_id,
    displayName: row.display_name,
    email: row.email,
    ...(row.photo_url !== null && { photoURL: row.photo_url }),
    urls: { location: apiUrl(`/users/${row.user_id}`) },
  };
  return withTold(own, row.user_told);
}
