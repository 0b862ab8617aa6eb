import { same } from '../../jobs/state.js';
import type { Kind } from '../kind.js';
import type { DesiredItem, LiveItem } from '../model.js';
import { valueHash } from '../value.js';
import { type Comparison, causeOf } from './compare.js';
import { conflict, taken } from './conflicts.js';
import type { Drafting } from './drafting.js';
import { isHashOf } from './environment.js';

/** The key in the lock for the parent of an item. */
export const parentEntry = 'in';

/**
 * Compares the parent of an item, in the files and on the platform, and notes where it has to come under another one.
 * @returns anew: it has to be removed and created there; moved: it is noted; undefined: it stays
 */
export function placed(
  drafting: Drafting,
  kind: Kind,
  item: DesiredItem,
  live: LiveItem,
  comparison: Comparison,
): 'anew' | 'moved' | undefined {
  const { order } = kind;
  if (order === undefined) return undefined;
  const { world } = drafting;
  const wanted = item.parent ?? null;
  const present =
    live.parent === undefined
      ? null
      : (world.addressOf(live.parent.kind, live.parent.id) ?? `id:${live.parent.id}`);
  const locked = world.entry(item.address);
  const entry = locked?.id === live.id ? locked.applied[parentEntry] : undefined;
  if (same(wanted, present)) {
    comparison.applied[parentEntry] = valueHash(wanted);
    if (!isHashOf(entry, wanted)) comparison.unsettled = true;
    return undefined;
  }
  if (entry !== undefined) comparison.applied[parentEntry] = entry;
  const cause = taken(drafting, item, causeOf(world, entry, { wanted, present }));
  if (cause === 'conflict') conflict(drafting, item, { name: 'parent', before: present, after: wanted });
  if (cause === undefined || cause === 'conflict' || !drafting.wants(cause)) return undefined;
  const transfer = { item, live, cause, applied: { [parentEntry]: valueHash(wanted) } };
  if (order.parent === undefined && order.enter === undefined && order.leave === undefined) {
    if (order.anew !== undefined) return 'anew';
    drafting.find(item, {
      cause,
      code: 'move',
      message: `No operation moves a ${kind.one} to another parent.`,
    });
    return undefined;
  }
  drafting.transfers.set(item.address, transfer);
  return 'moved';
}
