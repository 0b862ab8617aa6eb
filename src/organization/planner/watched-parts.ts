import { isObject } from '../../base/values.js';
import { same } from '../../jobs/state.js';
import type { Field } from '../kind.js';
import type { DesiredItem, LiveItem } from '../model.js';
import { comparable, isEmptyPart, partsOf } from '../value.js';
import { isKeyField } from './compare.js';
import { parentEntry } from './parents.js';
import type { World } from './world.js';

/** A value that was read, and what the lock has of it. */
export interface Part {
  field?: Field;
  /** As in the lock: `title`, `fields.owner`, `in`. */
  name: string;
  /** Comparable, as the platform has it. */
  value: unknown;
  entry: string | undefined;
  /** Where the files name it, whether they have the same. */
  named?: 'equal' | 'other';
}

type Entries = Readonly<Record<string, string>>;

/** Everything of an item that was read. @param item undefined where no file names it */
export function* partsToWatch(
  world: World,
  live: LiveItem,
  item: DesiredItem | undefined,
  applied: Entries,
): Generator<Part> {
  const kind = world.kind(live.kind);
  for (const field of kind.fields) {
    if (isKeyField(kind, field) || !(field.key in live.fields) || !isNameable(world, field)) continue;
    const [present, wanted] = [live.fields[field.key], item?.fields[field.key]];
    if (field.map) yield* partsOfMap(world, { field, present, wanted, applied });
    else yield partOf(world, { field, name: field.key, present, wanted, entry: applied[field.key] });
  }
  if (kind.order === undefined) return;
  const { parent } = live;
  const value = parent === undefined ? null : (world.addressOf(parent.kind, parent.id) ?? `id:${parent.id}`);
  const wanted = item === undefined ? undefined : (item.parent ?? null);
  yield { name: parentEntry, value, entry: applied[parentEntry], ...namedAs(wanted, value) };
}

/** What a reference names is known by its key only where its kind was read. */
function isNameable({ live }: World, { refers, orElse }: Field): boolean {
  return [refers, orElse].every((kind) => kind === undefined || live.items.has(kind));
}

function* partsOfMap(
  world: World,
  map: { field: Field; present: unknown; wanted: unknown; applied: Entries },
): Generator<Part> {
  const { field, present, wanted, applied } = map;
  const unset = applied[field.key];
  if (unset === undefined) {
    yield { field, name: field.key, value: present, entry: undefined };
    return;
  }
  const values = new Map(partsOf(present));
  const desired = isObject(wanted) ? wanted : {};
  const prefix = `${field.key}.`;
  const locked = Object.keys(applied).filter((name) => name.startsWith(prefix));
  const keys = new Set([...values.keys(), ...locked.map((name) => name.slice(prefix.length))]);
  for (const key of keys) {
    const [name, value] = [prefix + key, values.get(key)];
    // What was removed as a whole is missed there, and not in each item.
    if (!values.has(key) && field.mapOf !== undefined && !isThere(world, field.mapOf, key)) continue;
    const part = { field, name, present: isEmptyPart(value) ? null : value, wanted: desired[key] };
    yield partOf(world, { ...part, entry: applied[name] ?? unset });
  }
}

function isThere({ live }: World, kind: NonNullable<Field['mapOf']>, key: string): boolean {
  return live.items.get(kind)?.some(({ natural, id }) => (natural ?? id) === key) !== false;
}

function partOf(
  world: World,
  part: { field: Field; name: string; present: unknown; wanted: unknown; entry: string | undefined },
): Part {
  const { field, name, present, wanted, entry } = part;
  const value = comparable(field, present, world.addressOf);
  const own =
    wanted === undefined ? undefined : world.environment.resolved(comparable(field, wanted, world.addressOf));
  return { field, name, value, entry, ...namedAs(own, value) };
}

function namedAs(wanted: unknown, value: unknown): Pick<Part, 'named'> {
  if (wanted === undefined) return {};
  return { named: same(wanted, value) ? 'equal' : 'other' };
}
