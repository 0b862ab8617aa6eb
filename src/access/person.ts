import type { Member } from '../api/resources/members.js';
import { defined } from '../base/values.js';

/** A member by what a reader knows them by. */
export interface Person {
  id: string;
  displayName: string;
  email?: string;
}

export function personOf({ id, user }: Member): Person {
  return defined({ id, displayName: user.displayName, email: user.email });
}

/** Email, else display name, else id. The platform's text, so it is not safe to print as it is. */
export function nameOf({ email, displayName, id }: Person): string {
  return email ?? (displayName || id);
}
