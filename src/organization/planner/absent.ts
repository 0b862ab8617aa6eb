import { counted } from '../../output/text.js';
import { type Address, type DesiredItem, holderOf, type Kind, kindNames, type LiveItem } from '../model.js';
import { type Cause, type Drafting, livePath, phases, shown } from './drafting.js';
import type { World } from './world.js';

/** Live items that no file names, in lists with `manage: exact`. */

export function planAbsent(drafting: Drafting, kind: Kind): void {
  const { world } = drafting;
  if (!world.manages(kind.name)) return;
  for (const live of world.live.items.get(kind.name) ?? []) {
    if (world.matched.named.has(live) || world.isContested(live)) continue;
    if (world.scopeOf(kind.name, live)?.manage !== 'exact' || goesAlong(drafting, kind, live)) continue;
    const locked = world.lockedAs(live);
    if (locked === undefined && !standsInFiles(drafting, kind, live)) continue;
    const cause: Cause = locked === undefined ? 'drift' : 'change';
    if (drafting.wants(cause)) remove(drafting, kind, live, cause, locked);
  }
}

function remove(
  drafting: Drafting,
  kind: Kind,
  live: LiveItem,
  cause: Cause,
  locked: Address | undefined,
): void {
  const { world } = drafting;
  const address = locked ?? world.nameOf(live);
  const item = { kind: kind.name, address, key: world.callOf(live) };
  const fields = shownFields(live);
  const why = locked === undefined ? 'is on the platform and in no file' : 'is no longer in the files';
  if (kind.remove === undefined) {
    const { message = `The API cannot delete a ${kind.one}.` } = kind.cannot?.delete ?? {};
    drafting.find(item, { cause, code: 'delete', message: `${item.key} ${why}. ${message}`, fields });
    return;
  }
  const withheld = whyWithheld(drafting, kind, live);
  if (withheld !== undefined) {
    const message = `The ${kind.one} ${item.key} ${why}.`;
    drafting.find(item, { action: 'withheld', cause, fields, ...withheld(message, address) });
    return;
  }
  if (wouldEmpty(world, live)) {
    drafting.find(item, { cause, fields, ...lastSpace(item.key, live) });
    return;
  }
  const removal = drafting.add(item, {
    action: 'delete',
    cause,
    op: kind.remove,
    path: livePath(world, kind.remove, live),
    live,
    rank: [phases.removals, kindNames.length - kindNames.indexOf(kind.name), -depthOf(live)],
    fields,
    risks: [risk(drafting, kind, live, item.key)],
    applied: null,
  });
  drafting.removals.set(live, removal);
}

type Withheld = (message: string, address: Address) => { code: string; message: string; hint: string };

/** Without a lock, an item of the files may be a live item under another title, so nothing is deleted. */
function whyWithheld({ world }: Drafting, kind: Kind, live: LiveItem): Withheld | undefined {
  const { key, name, names, one } = kind;
  const unread = names !== undefined && world.unread.hasSome(names) ? names : name;
  if (unread !== name || world.unread.isBeside(live))
    return (message) => ({
      code: 'unread',
      message: `${message} Failed to read all ${unread}, so docs cannot determine whether it is a ${one} in the files.`,
      hint: 'Use a token that may read them.',
    });
  if (!world.options.prune)
    return (message) => ({
      code: 'prune',
      message,
      hint: 'Add --prune to delete it, or run "docs pull" to write it into the files.',
    });
  if (world.lock !== undefined || key !== 'own' || names !== undefined) return undefined;
  return (message) => ({
    code: 'unlocked',
    message: `${message} Without docs.lock.json, docs cannot determine whether it is a ${one} in the files.`,
    hint: 'Restore docs.lock.json, or run "docs pull" to write a new one.',
  });
}

/**
 * Memberships are written with the person: those of people whom the files do not have are not looked at. A person
 * without a list of teams is in none.
 */
function standsInFiles({ world }: Drafting, kind: Kind, live: LiveItem): boolean {
  const { names } = kind;
  if (names === undefined || live.natural === undefined || !standsWithOwner(world, kind)) return true;
  const owner = world.addressOf(names, live.natural);
  const item = owner === undefined ? undefined : world.item(owner);
  return item !== undefined && !item.external;
}

/** Whether files write an item of the kind down with the one that it names: a membership with the person. */
export function standsWithOwner(world: World, { names, spot }: Kind): boolean {
  const owner = names && world.kind(names).spot;
  return owner?.file === spot.file && owner.list === spot.list;
}

/** Whether a removal of what is around it removes it, too. What can leave its parent stays. */
export function goesAlong(drafting: Drafting, { order, names }: Kind, live: LiveItem): boolean {
  const { world } = drafting;
  const { parent } = live;
  if (parent !== undefined) {
    if (order?.parent !== undefined || order?.leave?.kind === parent.kind) return false;
    // What stays where it leaves its own parent keeps what stands in it.
    if (isLeftOut(drafting, parent) || goesAlong(drafting, world.kind(parent.kind), parent)) return true;
  }
  const other = names && live.natural !== undefined ? world.liveById(names, live.natural) : undefined;
  return other !== undefined && isLeftOut(drafting, other);
}

/** Whether no file names it in a list that names all. */
function isLeftOut({ world }: Drafting, live: LiveItem): boolean {
  return (
    !world.matched.named.has(live) &&
    !world.isContested(live) &&
    world.scopeOf(live.kind, live)?.manage === 'exact'
  );
}

function shownFields(live: LiveItem) {
  const set = Object.entries(live.fields).filter(([, value]) => typeof value === 'string' || value === true);
  return Object.fromEntries(set.map(([name, value]) => [name, { before: shown(value) }]));
}

function depthOf(live: LiveItem): number {
  let depth = 0;
  for (let at = live.parent; at !== undefined; at = at.parent) depth += 1;
  return depth;
}

function risk({ world }: Drafting, kind: Kind, live: LiveItem, key: string): string {
  const inside = world.liveChildren(live).length;
  const along = inside === 0 ? '' : ` It has ${counted(inside, 'item')} inside.`;
  return `The ${kind.one} ${key} would be deleted.${along}`;
}

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
  if (
    live.kind !== 'site-spaces' ||
    address === undefined ||
    holderOf(live, 'sites')?.resource.published !== true
  )
    return false;
  const all = new Set([...leaving, live]);
  const comes = (item: DesiredItem) => {
    if (item.kind !== live.kind || item.external || world.matched.ambiguous.has(item.address)) return false;
    const own = world.matched.live.get(item.address);
    return own === undefined || (!all.has(own) && (own.parent === parent || !wouldEmpty(world, own, all)));
  };
  const isLeft = (one: LiveItem) => one !== live && one.kind === live.kind && isUnnamedButKept(world, one);
  return !world.liveChildren(parent).some(isLeft) && !world.children(address).some(comes);
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
