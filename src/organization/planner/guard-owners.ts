import { keepsOwner } from '../../access/guards.js';
import type { LiveItem } from '../model.js';
import type { Drafting } from './drafting.js';
import { after, changesOf } from './guard-changes.js';
import type { Operation } from './operation.js';

interface Owners {
  now: Set<LiveItem>;
  lost: Set<LiveItem>;
  losses: Operation[];
  grants: Operation[];
}

/** Teams that would lose their last owner. */
export function ownerReasons(drafting: Drafting): string[] {
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

function note({ world }: Drafting, teams: Map<LiveItem, Owners>, operation: Operation): void {
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

function lose({ lost, losses }: Owners, live: LiveItem, operation: Operation): void {
  lost.add(live);
  losses.push(operation);
}
