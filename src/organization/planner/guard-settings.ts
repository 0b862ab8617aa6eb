import type { LockChange } from '../../plans/plan.js';
import { type Guards, guardsAddress } from '../model.js';
import { valueHash } from '../value.js';
import type { World } from './world.js';

/**
 * The guards that hold for a plan. Those of the files do, and where the files loosen a default, only once a plan
 * that broke nothing was applied with them: the lock says so. Otherwise one change could lift a guard and break it.
 */

export interface EffectiveGuards {
  minAdmins: number;
  requiredAdmins: readonly string[];
  requireSelf: boolean;
  maxRemovals: readonly ({ share: number } | { count: number })[];
}

const usual = { minAdmins: 2, share: 0.25 };
/** The entry of the lock for guards that are looser than the defaults. */
const entry = guardsAddress;

/** @param admins how many there are now */
export function effectiveGuards(world: World, admins: number): EffectiveGuards {
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
  const known = world.lock?.items[entry];
  if (!isLooser(world.desired.guards)) return known === undefined ? [] : [{ item: entry, to: null }];
  return isKnown(world) ? [] : [entryOfGuards(world.desired.guards, world.live.organizationId)];
}

/** The entry of the lock with which guards of the files count, also where they are looser than the defaults. */
export function entryOfGuards(guards: Guards, organizationId: string): LockChange {
  return { item: entry, to: { id: organizationId, applied: { guards: valueHash(guards) } } };
}

function isKnown({ lock, desired }: World): boolean {
  return lock?.items[entry]?.applied.guards === valueHash(desired.guards);
}

/** Whether guards are looser than the defaults. */
export function isLooser({ minAdmins = usual.minAdmins, requireSelf, maxRemovals }: Guards): boolean {
  const removesMore =
    maxRemovals !== undefined && ('count' in maxRemovals || maxRemovals.share > usual.share);
  return minAdmins < usual.minAdmins || requireSelf === false || removesMore;
}
