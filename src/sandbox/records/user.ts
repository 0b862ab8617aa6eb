import type { User } from '../../api/shapes.js';
import { apiUrl } from './urls.js';

/** Columns of `users u`, for records that embed a user. */
export const userColumns = 'u.id AS user_id, u.display_name, u.email, u.photo_url';

export interface UserColumns {
  user_id: string;
  display_name: string;
  email: string;
  photo_url: string | null;
}

/** The embedded user (spec A, "Shared shapes"). */
export function toUser(row: UserColumns): User {
  return {
    object: 'user',
    id: row.user_id,
    displayName: row.display_name,
    email: row.email,
    ...(row.photo_url !== null && { photoURL: row.photo_url }),
    urls: { location: apiUrl(`/users/${row.user_id}`) },
  };
}
