import { pluralOf } from '../../model/resources.js';
import type { PlanNote } from '../../plans/plan.js';
import { type Address, guardsAddress, type KindName, type LiveItem } from '../model.js';
import { goesAlong } from './absent.js';
import type { Drafting } from './drafting.js';
import type { World } from './world.js';

/** Items that were pulled or applied, and that left the files since. */

export interface LeftItem {
  address: Address;
  /** Undefined where its kind was not read. */
  live: LiveItem | undefined;
}

/** Without those that left the platform, too. */
export function leftItems(world: World): LeftItem[] {
  const found: LeftItem[] = [];
  for (const { name } of world.kinds.values()) {
    for (const live of world.live.items.get(name) ?? []) {
      if (world.matched.named.has(live)) continue;
      const address = world.lockedAs(live);
      if (address !== undefined) found.push({ address, live });
    }
  }
  const former = new Set(world.matched.former.values());
  for (const item in world.lock?.items) {
    const address = item as Address;
    const kind = address.slice(0, address.indexOf('/')) as KindName;
    if (address === guardsAddress || world.live.items.has(kind) || !world.kinds.has(kind)) continue;
    if (!world.desired.items.has(address) && !former.has(address)) found.push({ address, live: undefined });
  }
  return found;
}

/** A note for each kind; what a list that names all no longer has is withheld or deleted, and no note. */
export function leftNotes(drafting: Drafting, left: readonly LeftItem[]): PlanNote[] {
  const { world } = drafting;
  const addresses = new Set<string>(left.map(({ address }) => address));
  const byKind = new Map<KindName, Address[]>();
  for (const { address, live } of left) {
    const kind = address.slice(0, address.indexOf('/')) as KindName;
    if (isPart(world, kind, address, addresses)) continue;
    if (live !== undefined && (isTold(drafting, live) || goesAlong(drafting, world.kind(kind), live)))
      continue;
    byKind.set(kind, [...(byKind.get(kind) ?? []), address]);
  }
  return [...byKind].map(([kind, items]) => noteOf(world, kind, items));
}

/** Whether the item around it, or the one that it names, left as well, or has a note of its own. */
function isPart(world: World, kind: KindName, address: Address, left: ReadonlySet<string>): boolean {
  const { scope, names } = world.kind(kind);
  const [, around, ...rest] = address.split('/');
  if (scope !== undefined && left.has(`${scope}/${around}`)) return true;
  return names !== undefined && left.has(`${names}/${rest.join('/')}`);
}

/** Whether the plan has it as withheld or deleted, or among the memberships that stay. */
function isTold({ world }: Drafting, live: LiveItem): boolean {
  if (world.options.only !== 'drift' && world.scopeOf(live.kind, live)?.manage === 'exact') return true;
  return world.kind(live.kind).names === 'people';
}

function noteOf(world: World, kind: KindName, items: readonly Address[]): PlanNote {
  const { spot, one } = world.kind(kind);
  const [first = ''] = items;
  const many = items.length > 1;
  const named = items.slice(0, 3).join(', ') + (items.length > 3 ? ` and ${items.length - 3} more` : '');
  const what = many ? `${items.length} ${pluralOf(world.kind(kind).one)} are` : `The ${one} is`;
  return {
    code: 'left',
    item: many ? kind : first,
    message: `${what} no longer in the files, so no plan changes ${many ? `them: ${named}` : 'it'}.`,
    hint: `To manage ${many ? 'them' : 'it'} again, put ${many ? 'them' : 'it'} back into ${spot.file}.`,
    ...(many && { count: items.length }),
  };
}
