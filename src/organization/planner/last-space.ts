import type { DesiredItem, LiveItem } from '../model.js';
import type { World } from './world.js';

/** A published site, and each of its sections, keeps at least one space: the platform refuses to remove the last. */

/**
 * Whether the platform would refuse to remove a site space: the files keep the section or site in which it is, and
 * no other space is there by then.
 * @param leaving spaces whose removal waits for this one, as of sections that exchange their only spaces
 */
export function wouldEmpty(
  world: World,
  live: LiveItem,
  leaving: ReadonlySet<LiveItem> = new Set<LiveItem>(),
): boolean {
  const { parent } = live;
  const address = parent && world.matched.named.get(parent);
  if (live.kind !== 'site-spaces' || address === undefined || !isPublished(parent)) return false;
  const all = new Set([...leaving, live]);
  const comes = (item: DesiredItem) => {
    if (item.kind !== live.kind || item.external || world.matched.ambiguous.has(item.address)) return false;
    const own = world.matched.live.get(item.address);
    return own === undefined || (!all.has(own) && (own.parent === parent || !wouldEmpty(world, own, all)));
  };
  const isLeft = (one: LiveItem) => one !== live && one.kind === live.kind && isUnnamedButKept(world, one);
  return !world.liveChildren(parent).some(isLeft) && !world.children(address).some(comes);
}

function isPublished(parent: LiveItem | undefined): boolean {
  let at = parent;
  while (at !== undefined && at.kind !== 'sites') at = at.parent;
  return at?.resource.published === true;
}

/** No file names it, and no list that names all is pruned. */
export function isUnnamedButKept(world: World, live: LiveItem): boolean {
  if (world.matched.named.has(live)) return false;
  return !world.options.prune || world.scopeOf(live.kind, live)?.manage !== 'exact';
}

/** The finding about it. @param name what people call the space */
export function lastSpace(name: string, live: LiveItem): { code: string; message: string; hint: string } {
  const around = live.parent?.kind === 'sections' ? 'section' : 'site';
  return {
    code: 'last',
    message: `${name} cannot be removed: it is the last space of a published ${around}.`,
    hint: `Add another space to the ${around} and apply that first, or remove the ${around}.`,
  };
}
