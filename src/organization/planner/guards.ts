import { hasSsoAdmin, isActiveAdmin, keepsOwner } from '../../access/guards.js';
import { counted } from '../../output/text.js';
import type { LockChange } from '../../plans/plan.js';
import { guardCode } from '../../plans/schema.js';
import { folded } from '../match.js';
import { guardsAddress, type KindName, type LiveItem } from '../model.js';
import { entryOfGuards, isLooser, usualGuards as usual, valueHash } from '../value.js';
import type { Drafting, ItemDraft } from './drafting.js';
import type { World } from './world.js';

/**
 * The guards that hold for a plan. Those of the files do, and where the files loosen a default, only once a plan
 * that broke nothing was applied with them: the lock says so. Otherwise one change could lift a guard and break it.
 */

interface EffectiveGuards {
  minAdmins: number;
  requiredAdmins: readonly string[];
  requireSelf: boolean;
  maxRemovals: readonly ({ share: number } | { count: number })[];
}

/** @param admins how many there are now */
function effectiveGuards(world: World, admins: number): EffectiveGuards {
  const { guards } = world.desired;
  const { minAdmins, requiredAdmins = [], requireSelf = true, maxRemovals } = guards;
  const fewest = Math.min(usual.minAdmins, Math.max(admins, 1));
  const share = { share: usual.share };
  if (isKnown(world))
    return {
      minAdmins: minAdmins ?? fewest,
      requiredAdmins,
      requireSelf,
      maxRemovals: [maxRemovals ?? share],
    };
  return {
    minAdmins: Math.max(minAdmins ?? 0, fewest),
    requiredAdmins,
    requireSelf: true,
    maxRemovals: maxRemovals === undefined ? [share] : [maxRemovals, share],
  };
}

/** What the lock has to keep of the guards. */
export function guardEntry(world: World): LockChange[] {
  const known = world.lock?.items[guardsAddress];
  if (!isLooser(world.desired.guards)) return known === undefined ? [] : [{ item: guardsAddress, to: null }];
  return isKnown(world) ? [] : [entryOfGuards(world.desired.guards, world.live.organizationId)];
}

function isKnown({ lock, desired }: World): boolean {
  return lock?.items[guardsAddress]?.applied.guards === valueHash(desired.guards);
}

/**
 * What a plan must not bring about, checked on its result. Each broken guard is a finding: a plan shows everything,
 * also where somebody brought about by hand what the files cannot take back, and only applying it is refused.
 * @returns what is amiss, as sentences: broken guards, else what is so without the plan
 */
export function checkGuards(drafting: Drafting): string[] {
  const admins = adminsOf(drafting);
  const reasons = [
    ...adminReasons(drafting, admins),
    ...ssoReasons(drafting, admins),
    ...ownerReasons(drafting),
    ...removalReasons(drafting),
  ];
  for (const message of reasons)
    drafting.find(guards, {
      code: guardCode,
      message,
      hint: 'Change the files so that no guard is broken: until then, applying is refused.',
    });
  return reasons.length > 0 ? reasons : missingAdmins(drafting, admins);
}

/** What the findings are about. */
const guards = { kind: 'organization', address: 'organization/guards', key: 'guards' } as const;

interface Admins {
  now: readonly LiveItem[];
  later: ReadonlySet<LiveItem>;
  lost: readonly LiveItem[];
  /** What makes admins. */
  grants: readonly ItemDraft[];
  /** What takes the role. */
  losses: readonly ItemDraft[];
}

/** What is judged of a person. */
function standing({ fields, resource }: LiveItem) {
  return { role: fields.role, disabled: resource.disabled, sso: fields.sso };
}

function adminsOf(drafting: Drafting): Admins {
  const now = (drafting.world.live.items.get('people') ?? []).filter((one) => isActiveAdmin(standing(one)));
  const later = new Set(now);
  const [grants, losses]: [ItemDraft[], ItemDraft[]] = [[], []];
  for (const operation of changesOf(drafting, 'people')) {
    const { live, action } = operation;
    const role = after(operation, 'role');
    if (live === undefined || (role === undefined && action !== 'delete')) continue;
    if (role === 'admin') {
      grants.push(operation);
      if (isActiveAdmin({ ...standing(live), role })) later.add(live);
    } else if (later.delete(live)) losses.push(operation);
  }
  return { now, later, lost: now.filter((one) => !later.has(one)), grants, losses };
}

function adminReasons(drafting: Drafting, { now, later, lost, grants, losses }: Admins): string[] {
  if (lost.length === 0) return [];
  const { minAdmins, requiredAdmins, requireSelf } = effectiveGuards(drafting.world, now.length);
  if (now.length - lost.length < minAdmins)
    for (const loss of losses) for (const grant of grants) loss.after.add(grant);
  const names = lost.map(nameOf).join(', ');
  const reasons: string[] = [];
  if (later.size < minAdmins) {
    const left = later.size === 0 ? 'No admin' : counted(later.size, 'admin');
    reasons.push(`${left} would be left without ${names}, and min_admins is ${minAdmins}.`);
  }
  const required = new Set(requiredAdmins.map(folded));
  for (const one of lost)
    if (required.has(folded(nameOf(one))))
      reasons.push(`${nameOf(one)} must stay an admin (required_admins).`);
  return [...reasons, ...(requireSelf ? selfReasons(drafting, lost) : [])];
}

function selfReasons({ world }: Drafting, lost: readonly LiveItem[]): string[] {
  const { self } = world.options;
  const names = lost.map(nameOf).join(', ');
  if (self === undefined)
    return [`It is unknown who you are, so ${names} cannot lose the role admin (require_self).`];
  const email = self.email === undefined ? undefined : folded(self.email);
  const own = lost.find((one) => one.id === self.id || folded(nameOf(one)) === email);
  return own === undefined ? [] : [`${nameOf(own)} is you, and would no longer be an admin (require_self).`];
}

/** Required admins who are none, before the plan and after it. */
function missingAdmins({ world }: Drafting, { later }: Admins): string[] {
  if (!world.live.items.has('people')) return [];
  const names = new Set([...later].map((one) => folded(nameOf(one))));
  const missing = (world.desired.guards.requiredAdmins ?? []).filter((email) => !names.has(folded(email)));
  return missing.map((email) => `${email} is in required_admins and is not an admin.`);
}

/** Where only SSO lets in, an admin must get in by it. */
function ssoReasons(drafting: Drafting, { later, lost }: Admins): string[] {
  const { world } = drafting;
  const organization = world.live.items.get('organization')?.[0];
  const enforcing = changesOf(drafting, 'organization').find((one) => after(one, 'sso') === true);
  const isOn = enforcing !== undefined || (organization?.fields.sso === true && lost.length > 0);
  const isLifted = changesOf(drafting, 'organization').some((one) => after(one, 'sso') === false);
  if (!isOn || isLifted || !world.live.items.has('people')) return [];
  const links = changesOf(drafting, 'people').filter((one) => after(one, 'sso') === true);
  const isLinked = hasSsoAdmin([...later].map((one) => ({ ...standing(one), role: 'admin' })));
  const linking = links.filter(({ live }) => live !== undefined && later.has(live));
  if (!isLinked) for (const link of linking) enforcing?.after.add(link);
  return isLinked || linking.length > 0
    ? []
    : ['No admin signs in by SSO, so no one could administer the organization if sso is true.'];
}

/** A plan that removes much of a kind is rather a mistake. */
function removalReasons({ world, operations, creations }: Drafting): string[] {
  const { maxRemovals } = effectiveGuards(world, 0);
  const counts = new Map<ItemDraft['kind'], number>();
  for (const { action, kind, address } of operations)
    if (action === 'delete' && !creations.has(address)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].flatMap(([kind, count]) => {
    const all = world.live.items.get(kind)?.length ?? 0;
    const broken = maxRemovals.filter((limit) =>
      'count' in limit ? count > limit.count : isMuch(count, all, limit.share),
    );
    const [limit] = broken;
    if (limit === undefined) return [];
    const words = 'count' in limit ? String(limit.count) : `${Math.round(limit.share * 100)}%`;
    return [`${count} of ${all} ${kind} would be removed, and max_removals is ${words}.`];
  });
}

const fewest = 10;

function isMuch(count: number, all: number, share: number): boolean {
  return all >= fewest && count > share * all;
}

function nameOf({ natural, title, id }: LiveItem): string {
  return natural ?? (title || id);
}

interface Owners {
  now: Set<LiveItem>;
  lost: Set<LiveItem>;
  losses: ItemDraft[];
  grants: ItemDraft[];
}

/** Teams that would lose their last owner. */
function ownerReasons(drafting: Drafting): string[] {
  const { world, removals } = drafting;
  const touching = changesOf(drafting, 'memberships');
  const leaving = new Map(
    changesOf(drafting, 'people').flatMap((one) =>
      one.action === 'delete' && one.live !== undefined ? [[one.live.id, one] as const] : [],
    ),
  );
  if (touching.length + leaving.size === 0) return [];
  const teams = teamsOf(drafting);
  for (const operation of touching) note(drafting, teams, operation);
  for (const [id, operation] of leaving)
    for (const owners of teams.values())
      for (const one of owners.now) if (one.natural === id) lose(owners, one, operation);
  return [...teams].flatMap(([team, { now, lost, losses, grants }]) => {
    if (lost.size === 0 || keepsOwner(now, lost) || removals.has(team)) return [];
    for (const loss of losses) for (const grant of grants) loss.after.add(grant);
    const names = [...lost].map((one) => world.callOf(one)).join(', ');
    const owner = lost.size === 1 ? 'owner' : 'owners';
    return grants.length > 0
      ? []
      : [`The team ${world.callOf(team)} would lose its last ${owner}, ${names}.`];
  });
}

function teamsOf({ world }: Drafting): Map<LiveItem, Owners> {
  const teams = new Map<LiveItem, Owners>();
  for (const live of world.live.items.get('memberships') ?? []) {
    if (live.fields.role !== 'owner' || live.parent === undefined) continue;
    const known = teams.get(live.parent) ?? { now: new Set(), lost: new Set(), losses: [], grants: [] };
    known.now.add(live);
    teams.set(live.parent, known);
  }
  return teams;
}

function note({ world }: Drafting, teams: Map<LiveItem, Owners>, operation: ItemDraft): void {
  const { live, address, action } = operation;
  const parent = world.item(address)?.parent;
  const team = live?.parent ?? (parent === undefined ? undefined : world.matched.live.get(parent));
  const owners = team && teams.get(team);
  if (owners === undefined) return;
  const role = after(operation, 'role');
  if (role === 'owner') owners.grants.push(operation);
  else if (live !== undefined && owners.now.has(live) && (role !== undefined || action === 'delete'))
    lose(owners, live, operation);
}

function lose({ lost, losses }: Owners, live: LiveItem, operation: ItemDraft): void {
  lost.add(live);
  losses.push(operation);
}

function changesOf({ operations }: Drafting, kind: KindName): ItemDraft[] {
  return operations.filter((operation) => operation.kind === kind);
}

/** What a change makes of a field; undefined where it leaves it alone. */
export function after({ fields, action }: ItemDraft, field: string): unknown {
  return action === 'delete' ? undefined : fields[field]?.after;
}
