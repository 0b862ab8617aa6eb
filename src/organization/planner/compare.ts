import { isObject } from '../../base/values.js';
import { same } from '../../jobs/state.js';
import type { DesiredItem, Field, Kind, KindName, LiveItem } from '../model.js';
import {
  changedBy,
  comparable,
  type FieldPart,
  idIn,
  isHashOf,
  isSecret,
  keepEntries,
  lockHash,
  namedParts,
  parentAddress,
  parentEntry,
  valueHash,
} from '../value.js';
import { type Cause, type Drafting, shown } from './drafting.js';
import type { World } from './world.js';

/** Files, platform, and what was last applied: three-way, field by field. */

export interface FieldChange extends FieldPart {
  /** Comparable, as the platform has it. */
  before: unknown;
  /** Comparable, with references to variables. */
  after: unknown;
  cause: Cause | 'conflict';
}

interface Comparison {
  changes: FieldChange[];
  /** Entries of the lock for fields that are equal, and the former ones of those that are not. */
  applied: Record<string, string>;
  /** Whether the entry in the lock is not that. */
  unsettled: boolean;
  /** Keys of fields that could not be read, or name an item that could not be. */
  unread: string[];
}

function causeOf(...three: Parameters<typeof changedBy>): FieldChange['cause'] {
  return ({ file: 'change', platform: 'drift', both: 'conflict' } as const)[changedBy(...three)];
}

/** Whether all fields are plain values that are as they were last applied: so are most of a large organization. */
export function isUnchanged(world: World, item: DesiredItem, live: LiveItem): boolean {
  const locked = world.lock?.items[item.address];
  if (locked?.id !== live.id) return false;
  return world.kind(item.kind).fields.every(({ key }) => {
    const value = item.fields[key];
    if (value === undefined) return true;
    const isSame = typeof value !== 'object' && value === live.fields[key];
    return isSame && locked.applied[key] === valueHash(value);
  });
}

export function compared(world: World, item: DesiredItem, live: LiveItem): Comparison {
  const kind = world.kind(item.kind);
  const locked = world.entry(item.address);
  const isSame = locked?.id === live.id;
  const before = isSame ? locked.applied : {};
  const unsettled = !isSame || world.matched.former.has(item.address);
  const result: Comparison = { changes: [], applied: {}, unsettled, unread: [] };
  for (const field of kind.fields) {
    const value = item.fields[field.key];
    if (isKeyField(kind, field)) continue;
    const isRead = field.key in live.fields;
    if (value === undefined || field.map || !isRead) keepEntries(result, before, field.key);
    if (value === undefined) continue;
    if (!isRead) {
      result.unread.push(field.key);
      continue;
    }
    const present = live.fields[field.key];
    if (isUnknown(world, value, present)) {
      result.unread.push(field.key);
      keepEntries(result, before, field.key);
      continue;
    }
    const parts = isObject(present) ? present : {};
    for (const { value: wanted, ...part } of namedParts(field, value))
      one(world, result, before, part, wanted, part.key === undefined ? present : parts[part.key]);
  }
  return result;
}

/** Whether the platform names an item that was not read, which may be the one that the file names. */
function isUnknown({ unread, addressOf }: World, wanted: unknown, present: unknown): boolean {
  if (!isObject(present) || typeof present.$id !== 'string' || !isObject(wanted)) return false;
  const kind = present.kind as KindName;
  if (typeof wanted.$ref !== 'string' || idIn(wanted.$ref) !== undefined) return false;
  return unread.hasSome(kind) && addressOf(kind, present.$id) === undefined;
}

/** The key of an item is what it is found by. */
export function isKeyField({ key }: Kind, field: Field): boolean {
  return key !== 'own' && key.field === field.key;
}

function one(
  world: World,
  result: Comparison,
  entries: Readonly<Record<string, string>>,
  what: FieldPart,
  value: unknown,
  present: unknown,
): void {
  const { field, name } = what;
  const secret = isSecret(value);
  const after = comparable(field, value, world.addressOf);
  const wanted = secret ? world.environment.resolved(after) : after;
  const before = comparable(field, present, world.addressOf);
  const entry = entries[name];
  if (!same(wanted, before)) {
    result.changes.push({
      ...what,
      before,
      after,
      cause: causeOf(world.matched.former, entry, { wanted, present: before, field }),
    });
    if (entry !== undefined) result.applied[name] = entry;
    return;
  }
  const isSettled = isHashOf(entry, wanted) && secret === entry?.startsWith('env:');
  result.applied[name] = isSettled && entry !== undefined ? entry : lockHash(wanted, secret);
  if (!isSettled) result.unsettled = true;
}

/** Fields that were changed in the files and on the platform. */

/** What becomes of a conflict: what the caller takes, if anything. */
export function taken(
  { world }: Drafting,
  { address }: DesiredItem,
  cause: FieldChange['cause'],
): FieldChange['cause'] | undefined {
  if (cause !== 'conflict') return cause;
  const take = world.options.take.get(address);
  if (take === undefined) return 'conflict';
  return take === 'file' ? 'change' : undefined;
}

export function conflict(
  drafting: Drafting,
  item: DesiredItem,
  change: Pick<FieldChange, 'name'> & Partial<FieldChange>,
): void {
  const { name, before, after } = change;
  drafting.find(item, {
    code: 'conflict',
    message: `Changed in ${item.at.file} and on the platform.`,
    hint: `Add --take file=${item.address} to apply the file, or --take live=${item.address} to keep the platform.`,
    fields: { [name]: { before: shown(before), after: drafting.world.environment.sealed(shown(after)) } },
  });
}

/**
 * Compares the parent of an item, in the files and on the platform, and notes where it has to come under another one.
 * @returns anew: it has to be removed and created there; moved: it is noted; undefined: it stays
 */
export function placed(
  drafting: Drafting,
  item: DesiredItem,
  live: LiveItem,
  comparison: Comparison,
): 'anew' | 'moved' | undefined {
  const { world } = drafting;
  const { order, one } = world.kind(item.kind);
  if (order === undefined) return undefined;
  const wanted = item.parent ?? null;
  const present = parentAddress(live, world.addressOf);
  const locked = world.entry(item.address);
  const entry = locked?.id === live.id ? locked.applied[parentEntry] : undefined;
  if (same(wanted, present)) {
    comparison.applied[parentEntry] = valueHash(wanted);
    if (!isHashOf(entry, wanted)) comparison.unsettled = true;
    return undefined;
  }
  if (entry !== undefined) comparison.applied[parentEntry] = entry;
  const cause = taken(drafting, item, causeOf(world.matched.former, entry, { wanted, present }));
  if (cause === 'conflict') conflict(drafting, item, { name: 'parent', before: present, after: wanted });
  if (cause === undefined || cause === 'conflict' || !drafting.wants(cause)) return undefined;
  const transfer = { item, live, cause, applied: { [parentEntry]: valueHash(wanted) } };
  if (order.parent === undefined && order.enter === undefined && order.leave === undefined) {
    if (order.anew !== undefined) return 'anew';
    drafting.find(item, {
      cause,
      code: 'move',
      message: `The API cannot move a ${one} to another parent.`,
    });
    return undefined;
  }
  drafting.transfers.set(item.address, transfer);
  return 'moved';
}
