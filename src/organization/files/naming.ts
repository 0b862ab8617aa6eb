import { exactKey } from '../../base/name.js';
import type { Lock } from '../../plans/lock.js';
import { kindOf } from '../kinds/index.js';
import { titleField } from '../match.js';
import type { Address, Desired, DesiredItem, KindName, LiveItem } from '../model.js';
import { memberships } from './layout.js';

/** What the parsed files and the lock say of what has to be read of the platform. */

/** Which live items may be those of the files that name a field, where reading it takes a request for each item. */
export class Naming {
  readonly #ids = new Set<string>();
  readonly #titles = new Set<string>();
  /** Whether any item may be meant: a title comes from the environment. */
  readonly #isOpen: boolean;

  /** @param gone ids of the lock that are no longer on the platform: another item may have the title */
  constructor(
    { items }: Pick<Desired, 'items'>,
    lock: Lock | undefined,
    [kind, field]: readonly [KindName, string],
    gone: ReadonlySet<string> = new Set(),
  ) {
    const title = titleField(kindOf(kind))?.key ?? '';
    const named = [...items.values()].filter(
      (item) => item.kind === kind && item.fields[field] !== undefined,
    );
    const open = named.filter((item) => {
      const id = lockedId(item, lock);
      if (id !== undefined) this.#ids.add(id);
      return id === undefined || gone.has(id);
    });
    for (const { fields } of open)
      if (typeof fields[title] === 'string') this.#titles.add(exactKey(fields[title]));
    this.#isOpen = open.some(({ fields }) => typeof fields[title] === 'object');
  }

  has({ id, title }: Pick<LiveItem, 'id' | 'title'>): boolean {
    return this.#isOpen || this.#ids.has(id) || this.#titles.has(exactKey(title));
  }

  /** Those of the ids in the lock that a platform does not show. */
  missingIn(items: readonly LiveItem[]): ReadonlySet<string> {
    const there = new Set(items.map(({ id }) => id));
    return new Set([...this.#ids].filter((id) => !there.has(id)));
  }
}

/** The id that the lock has for an item, also under the key that it had. */
function lockedId({ kind, address, was }: DesiredItem, lock: Lock | undefined): string | undefined {
  const entry = lock?.items[address] ?? (was === undefined ? undefined : lock?.items[`${kind}/${was}`]);
  return typeof entry?.id === 'string' ? entry.id : undefined;
}

/**
 * The kinds of which the lock has items that people of the files no longer name: memberships, where a team was taken
 * from a person's list.
 */
export function takenFromOwners({ items }: Desired, lock: Lock | undefined): KindName[] {
  const prefix = `${memberships.name}/`;
  for (const address in lock?.items) {
    if (!address.startsWith(prefix) || items.has(address as Address)) continue;
    const person = address.slice(address.indexOf('/', prefix.length) + 1);
    if (items.has(`people/${person}`)) return [memberships.name];
  }
  return [];
}
