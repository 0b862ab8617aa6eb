import { changedLock, type Lock } from '../../plans/lock.js';
import type { LockChange, LockEntry } from '../../plans/plan.js';
import { kindOf, kinds } from '../kinds/index.js';
import {
  type Address,
  type Desired,
  guardsAddress,
  type Kind,
  type KindName,
  kindIn,
  kindNames,
  type Live,
  type LiveItem,
} from '../model.js';
import { appliedEntries, isSecret, parentEntry } from '../value.js';
import { isKeyField } from './compare.js';
import { planOrganization } from './plan.js';
import { leftItems } from './watch.js';
import { World } from './world.js';

/**
 * What the lock has to say of items so that `docs plan drift` can compare them: an apply knows what it sent, and not what
 * the platform made of the rest.
 */

/** The kinds of items that the lock does not tell everything of. */
export function openKinds({ items }: Pick<Desired, 'items'>, lock: Lock): ReadonlySet<KindName> {
  const open = new Set<KindName>();
  for (const { kind, address, external } of items.values())
    if (!external && lock.items[address] === undefined) open.add(kind);
  for (const address in lock.items) {
    const name = kindIn(address);
    if (open.has(name)) continue;
    if (!isWholeEntry(items, address as Address, lock.items[address])) open.add(name);
  }
  return open;
}

/**
 * Whether the lock tells everything of the items of the files, with any of some changes: after an apply that makes these
 * and no others, neither the files nor the lock need to be read again.
 */
export function staysWhole(
  { items }: Pick<Desired, 'items'>,
  lock: Lock | undefined,
  changes: readonly LockChange[],
): boolean {
  if (lock === undefined || openKinds({ items }, lock).size > 0) return false;
  return changes.every(({ item, to }) => to === null || isWholeEntry(items, item as Address, to));
}

function isWholeEntry(items: Desired['items'], address: Address, entry: LockEntry | undefined): boolean {
  const name = kindIn(address);
  if (entry === undefined || !kindNames.includes(name) || address === guardsAddress) return true;
  return isWhole(kindOf(name), items.get(address)?.fields ?? {}, entry.applied);
}

/** With the kinds that their items name, whose keys are part of what is compared. */
export function withNamed(open: ReadonlySet<KindName>): ReadonlySet<KindName> {
  const all = new Set(open);
  for (const name of all) {
    const { names, fields } = kindOf(name);
    for (const other of [names, ...fields.flatMap(({ refers, orElse }) => [refers, orElse])])
      if (other !== undefined) all.add(other);
  }
  return all;
}

function isWhole(
  kind: Kind,
  fields: Readonly<Record<string, unknown>>,
  applied: Readonly<Record<string, string>>,
): boolean {
  if (kind.order !== undefined && applied[parentEntry] === undefined) return false;
  return kind.fields.every(
    (field) => isKeyField(kind, field) || field.key in applied || isSecret(fields[field.key]),
  );
}

/** Entries for what was read, where the lock has none: others stay, so that nothing changed by hand gets lost. */
export function baselineEntries(
  desired: Desired,
  live: Live,
  lock: Lock,
  env: Readonly<Record<string, string | undefined>>,
): LockChange[] {
  const options = { prune: false, take: new Map<string, never>(), env };
  const { settled } = planOrganization(desired, live, lock, options);
  const known = changedLock(lock, lock, settled);
  const world = new World(desired, live, known, options, kinds);
  const changes = new Map(settled.map((change) => [change.item, change]));
  const add = (address: Address, item: LiveItem | undefined) => {
    const entry = known.items[address];
    if (item === undefined || entry?.id !== item.id) return;
    const applied = { ...readNow(world, item, desired.items.get(address)?.fields), ...entry.applied };
    if (Object.keys(applied).length > Object.keys(entry.applied).length)
      changes.set(address, { item: address, to: { id: item.id, applied } });
  };
  for (const { address, external } of desired.items.values())
    if (!external) add(address, world.matched.live.get(address));
  for (const { address, live: item } of leftItems(world)) add(address, item);
  return [...changes.values()];
}

function readNow(
  world: World,
  live: LiveItem,
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, string> {
  const kind = world.kind(live.kind);
  // The plain hash of the value of a variable could be guessed.
  const open = kind.fields.filter(({ key }) => !isSecret(fields[key]));
  return appliedEntries({ ...kind, fields: open }, live, world.addressOf);
}
