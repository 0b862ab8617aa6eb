import { isObject } from '../../base/values.js';
import type { Reference } from '../../jobs/references.js';
import { atCreation, bodyOf } from '../kinds/declare.js';
import type { Address, Cannot, Creation, CreationContext, DesiredItem, Kind, LiveItem } from '../model.js';
import { comparable, parentEntry, valueHash } from '../value.js';
import { lastSpace, wouldEmpty } from './absent.js';
import { type FieldChange, isKeyField } from './compare.js';
import { type Cause, type Drafting, kindNamed, livePath, type Operation, rankOf } from './drafting.js';
import { appliedBy, risksOf, setAll, shownChanges } from './requests.js';

/** Plans what creates an item that is not on the platform. */
export function planMissing(drafting: Drafting, kind: Kind, item: DesiredItem): void {
  const wasThere = drafting.world.entry(item.address) !== undefined;
  const cause: Cause = wasThere ? 'drift' : 'change';
  if (!drafting.wants(cause)) return;
  const changes = changesOf(drafting, kind, item.fields, cause);
  create(drafting, kind, item, { cause, changes });
}

/** Removes an item and creates it under another parent, with the live values of what the file does not name. */
export function replace(drafting: Drafting, kind: Kind, item: DesiredItem, live: LiveItem): void {
  if (item.protected) {
    drafting.find(item, {
      cause: 'change',
      code: 'protected',
      message: `${item.address} is protected, and only removing it would bring it under ${item.parent ?? 'the top'}.`,
      hint: `Remove "protected: true" from it in ${item.at.file}, or leave it where it is.`,
    });
    return;
  }
  if (wouldEmpty(drafting.world, live)) {
    drafting.find(item, { cause: 'change', ...lastSpace(item.key, live) });
    return;
  }
  const kept = Object.entries(live.fields).filter(([, value]) => (value ?? null) !== null);
  const fields = { ...Object.fromEntries(kept), ...item.fields };
  const removal = freed(drafting, kind, item, live);
  drafting.bases.delete(item.address);
  create(drafting, kind, item, {
    cause: 'change',
    changes: changesOf(drafting, kind, fields, 'change'),
    ...(removal !== undefined && { after: removal }),
    ...(kind.order?.anew !== undefined && { risk: kind.order.anew }),
  });
}

/** The removal of an item that is created elsewhere, just before that. */
function freed(drafting: Drafting, kind: Kind, item: DesiredItem, live: LiveItem): Operation | undefined {
  const known = drafting.removals.get(live);
  if (known !== undefined || kind.remove === undefined) return known;
  const removal = drafting.add({
    kind: kind.name,
    address: item.address,
    key: item.key,
    action: 'delete',
    cause: 'change',
    op: kind.remove,
    path: livePath(drafting.world, kind.remove, live),
    live,
    rank: rankOf(kind.name, -1),
    applied: null,
  });
  drafting.removals.set(live, removal);
  return removal;
}

interface Creating {
  cause: Cause;
  changes: readonly FieldChange[];
  after?: Operation;
  risk?: string;
}

function create(drafting: Drafting, kind: Kind, item: DesiredItem, creating: Creating): void {
  const { cause, changes } = creating;
  const maker = drafting.creations.get(item.address);
  if (maker !== undefined) {
    complete(drafting, kind, item, changes, maker, cause);
    return;
  }
  const why = refusal(kind, item, contextOf(drafting, []));
  if (why === undefined && kind.create !== undefined) {
    send(drafting, kind, kind.create, item, creating);
    return;
  }
  const hint = why?.hint?.(item);
  const message = why?.message ?? `No operation creates a ${kind.one}.`;
  drafting.find(item, { cause, code: 'create', message, ...(hint !== undefined && { hint }) });
}

function send(
  drafting: Drafting,
  kind: Kind,
  { op }: Creation,
  item: DesiredItem,
  { cause, changes, after, risk }: Creating,
): void {
  const missing: Address[] = [];
  const context = contextOf(drafting, missing);
  const path = drafting.ids.path(op, kind, item);
  const now = changes.filter((change) =>
    atCreation(kind, change.field, drafting.ids.sendable(change.after).value),
  );
  const body = bodyFor(drafting, kind, item, now, context, missing);
  if (missing.length + path.missing.length > 0) {
    drafting.waits(item, [...path.missing, ...missing], cause);
    return;
  }
  const stuck = alsoMade(kind, item, context).flatMap(({ item: other }) => lastThere(drafting, other));
  if (stuck[0] !== undefined) {
    drafting.find(item, { cause, ...stuck[0] });
    return;
  }
  const removed = alsoMade(kind, item, context).flatMap(({ item: other }) => leaving(drafting, other));
  const creation = drafting.add({
    kind: kind.name,
    address: item.address,
    key: item.key,
    action: cause === 'drift' ? 'drift' : 'create',
    cause,
    op,
    path: path.value,
    ...(op.body !== undefined && { body }),
    rank: rankOf(kind.name, 0),
    fields: shownChanges(drafting, now, false),
    applied: { ...appliedBy(drafting, now), ...placeOf(drafting, kind, item) },
    after: new Set([...(after ? [after] : []), ...removed]),
    risks: [
      ...(risk === undefined ? [] : [risk]),
      ...now.flatMap((change) => risksOf(kind.name, item, change, undefined)),
    ],
  });
  made(drafting, kind, item, creation, path.value, context);
  const left = changes.filter((change) => !now.includes(change));
  complete(drafting, kind, item, left, creation, cause);
}

/** Notes the ids that a creation makes. */
function made(
  drafting: Drafting,
  kind: Kind,
  item: DesiredItem,
  creation: Operation,
  path: Readonly<Record<string, unknown>>,
  context: CreationContext,
): void {
  // What a path names before it is there has its id from elsewhere: a member of a team that of the person.
  drafting.ids.set(item.address, path[kind.parameter] ?? madeBy(creation, kind.create?.id));
  drafting.creations.set(item.address, creation);
  for (const also of alsoMade(kind, item, context)) {
    drafting.ids.set(also.item.address, madeBy(creation, also.path));
    drafting.creations.set(also.item.address, creation);
  }
}

function madeBy({ id }: Operation, path = 'id'): Reference {
  return { $from: id, path };
}

function alsoMade(kind: Kind, item: DesiredItem, context: CreationContext) {
  return kind.create?.also?.(item, context) ?? [];
}

/** What a creation makes again must leave its old place first. */
function leaving(drafting: Drafting, other: DesiredItem): Operation[] {
  const live = drafting.world.matched.live.get(other.address);
  if (live === undefined || other.protected) return [];
  const removal = freed(drafting, drafting.world.kind(other.kind), other, live);
  return removal === undefined ? [] : [removal];
}

/** Why it cannot leave its old place, if so. */
function lastThere({ world }: Drafting, { address, key }: DesiredItem) {
  const live = world.matched.live.get(address);
  return live !== undefined && wouldEmpty(world, live) ? [lastSpace(key, live)] : [];
}

/** What the creation did not set, in requests of their own. */
function complete(
  drafting: Drafting,
  kind: Kind,
  item: DesiredItem,
  changes: readonly FieldChange[],
  creation: Operation,
  cause: Cause,
): void {
  const possible = changes.filter(({ field, after }) => field.fixed === undefined || after === null);
  setAll(drafting, kind, item, possible, { rank: rankOf(kind.name, 1), cause, after: [creation] });
}

/** Where it stands once it is created: what enters its parent afterwards is at the level above until then. */
function placeOf({ world }: Drafting, { order }: Kind, { parent }: DesiredItem): Record<string, string> {
  if (order === undefined) return {};
  const enters = order.enter !== undefined && parent?.startsWith(`${order.enter.kind}/`) === true;
  const place = enters ? world.item(parent)?.parent : parent;
  return { [parentEntry]: valueHash(place ?? null) };
}

/** Why an item cannot be created. */
function refusal(kind: Kind, item: DesiredItem, context: CreationContext): Cannot | undefined {
  const none = kind.cannot?.create ?? kind.create?.unless?.(item, context);
  if (none !== undefined) return none;
  const lacks = kind.fields.filter(({ required, key }) => required && (item.fields[key] ?? null) === null);
  if (lacks.length === 0) return undefined;
  const names = lacks.map(({ key }) => key).join(', ');
  return {
    message: `A new ${kind.one} needs ${names}.`,
    hint: ({ at }) => `Add ${names} to it in ${at.file}.`,
  };
}

/** The fields of an item as changes from nothing. */
function changesOf(
  { world }: Drafting,
  kind: Kind,
  fields: Readonly<Record<string, unknown>>,
  cause: Cause,
): FieldChange[] {
  return kind.fields.flatMap((field) => {
    const value = fields[field.key] ?? null;
    if (value === null || isKeyField(kind, field)) return [];
    const change = (name: string, part: unknown, key?: string): FieldChange => ({
      field,
      name,
      ...(key !== undefined && { key }),
      before: null,
      after: comparable(field, part, world.addressOf),
      cause,
    });
    if (!field.map) return [change(field.key, value)];
    const parts = Object.entries(isObject(value) ? value : {});
    return parts.map(([key, part]) => change(`${field.key}.${key}`, part, key));
  });
}

function bodyFor(
  drafting: Drafting,
  kind: Kind,
  item: DesiredItem,
  changes: readonly FieldChange[],
  context: CreationContext,
  missing: Address[],
): Record<string, unknown> {
  const body: Record<string, unknown> = { ...kind.create?.more?.(item, context) };
  for (const { field, after } of changes) {
    const sent = drafting.ids.sendable(after);
    missing.push(...sent.missing);
    Object.assign(body, bodyOf(field, sent.value, kindNamed(after) ?? field.refers));
  }
  return body;
}

/** @param missing where items without an id are noted */
function contextOf({ world, ids }: Drafting, missing: Address[]): CreationContext {
  return {
    children: ({ address }) => world.children(address),
    idOf(address) {
      const id = ids.of(address);
      if (id === undefined) missing.push(address);
      return id;
    },
    item: (address) => world.item(address),
    liveChildren(address) {
      const live = world.matched.live.get(address);
      return live === undefined ? [] : world.liveChildren(live);
    },
  };
}
