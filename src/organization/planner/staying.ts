import type { PlanNote } from '../../plans/plan.js';
import type { Kind } from '../kind.js';
import { goesAlong, standsWithOwner } from './absent.js';
import type { Drafting } from './drafting.js';

/**
 * Notes for memberships that were removed from the list of a person but stay on the platform, since the list is not
 * exact: the files look as if the person had left the team.
 */
export function stayingItems(drafting: Drafting, kind: Kind): PlanNote[] {
  const { world } = drafting;
  const { names, name, one, spot } = kind;
  if (names === undefined || !standsWithOwner(world, kind)) return [];
  return (world.live.items.get(name) ?? []).flatMap((live) => {
    if (world.matched.named.has(live) || world.isContested(live)) return [];
    const owner = live.natural && world.addressOf(names, live.natural);
    const item = owner ? world.item(owner) : undefined;
    const locked = world.lockedAs(live);
    if (item === undefined || item.external || locked === undefined) return [];
    const manage = world.scopeOf(name, live)?.manage ?? 'additive';
    if (manage === 'exact' || goesAlong(drafting, kind, live)) return [];
    const message = `The ${one} is no longer in ${spot.file} and stays on the platform: "${name}: ${manage}" removes nothing.`;
    const hint = `To remove it, write "${name}: exact" in ${spot.file} and add --prune; to keep it, put it back.`;
    return [{ code: 'stays', item: locked, message, hint }];
  });
}
