import { roles } from '../../api/shapes.js';
import type { ReviewRow } from './row.js';

/** Parts of a row of an access review, as a person reads them. */

/** `admin 2`, `read 57`: how many spaces with each role, from the highest. */
export function countsByRole(spaces: ReviewRow['spaces']): string[] {
  const names = [...new Set<string>([...roles, ...spaces.map(({ role }) => role)])];
  return names.flatMap((name) => {
    const count = spaces.filter(({ role }) => role === name).length;
    return count === 0 ? [] : [`${name} ${count}`];
  });
}

/** `Writers (only owner)`, and without more where they do not own it. */
export function ownedWords({ title, role, onlyOwner }: ReviewRow['teams'][number]): string {
  return role === 'owner' ? `${title} (${onlyOwner ? 'only owner' : 'owner'})` : title;
}
