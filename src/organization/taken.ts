import type { Lock } from '../plans/lock.js';
import { membershipsOf } from './files/layout.js';
import { kinds } from './kinds/index.js';
import type { Address, Desired, KindName } from './model.js';

/**
 * The kinds of which the lock has items that people of the files no longer name: memberships, where a team was taken
 * from a person's list.
 */
export function takenFromOwners({ items }: Desired, lock: Lock | undefined): KindName[] {
  const kind = membershipsOf(kinds);
  if (kind?.names === undefined) return [];
  const prefix = `${kind.name}/`;
  for (const address in lock?.items) {
    if (!address.startsWith(prefix) || items.has(address as Address)) continue;
    const person = address.slice(address.indexOf('/', prefix.length) + 1);
    if (items.has(`${kind.names}/${person}`)) return [kind.name];
  }
  return [];
}
