import type { Reference } from '../../jobs/change.js';
import { atCreation, bodyOf } from '../kinds/declare.js';
import type { Address, Cannot, Creation, CreationContext, DesiredItem, Kind, LiveItem } from '../model.js';
import { comparable, namedParts, parentEntry, valueHash } from '../value.js';
import { lastSpace, wouldEmpty } from './absent.js';
import { type FieldChange, isKeyField } from './compare.js';
import { type Cause, type Drafting, type ItemDraft, kindNamed, livePath, rankOf } from './drafting.js';
import { appliedBy, setAll, shownChanges } from './requests.js';

/** Plans what creates an item that is not on the platform. */
export function planMissing(drafting: Drafting, item: DesiredItem): void {
  const cause = drafting.world.entry(item.address) === undefined ? 'change' : 'drift';
  if (!drafting.wants(cause)) return;
  create(drafting, item, { cause, changes: changesOf(drafting, item, item.fields, cause) });
}

/** Removes an item and creates it under another parent, with the live values of what the file does not name. */
export function replace(drafting: Drafting, item: DesiredItem, live: LiveItem): void {
  if (item.protected)
    return void drafting.find(item, {
      cause: 'change',
      code: 'protected',
      message: `${item.address} is protected, and only removing it would bring it under ${item.parent ?? 'the top'}.`,
      hint: `Remove "protected: true" from it in ${item.at.file}, or leave it where it is.`,
    });
  if (wouldEmpty(drafting.world, live))
    return void drafting.find(item, { cause: 'change', ...lastSpace(item.key, live) });
  const kept = Object.entries(live.fields).filter(([, value]) => (value ?? null) !== null);
  const fields = { ...Object.fromEntries(kept), ...item.fields };
  const after = freed(drafting, item, live);
  drafting.bases.delete(item.address);
  const changes = changesOf(drafting, item, fields, 'change');
  const risk = drafting.world.kind(item.kind).order?.anew;
  create(drafting, item, { cause: 'change', changes, after, risk });
}

/** The removal of an item that is created elsewhere, just before that. */
function freed(drafting: Drafting, item: DesiredItem, live: LiveItem): ItemDraft | undefined {
  const known = drafting.removals.get(live);
  const op = drafting.world.kind(item.kind).remove;
  if (known !== undefined || op === undefined) return known;
  const removal = drafting.add(item, {
    action: 'delete',
    cause: 'change',
    op,
    path: livePath(drafting.world, op, live),
    live,
    rank: rankOf(item.kind, -1),
    applied: null,
  });
  drafting.removals.set(live, removal);
  return removal;
}

interface Creating {
  cause: Cause;
  changes: readonly FieldChange[];
  after?: ItemDraft;
  risk?: string;
}

function create(drafting: Drafting, item: DesiredItem, creating: Creating): void {
  const { cause, changes } = creating;
  const maker = drafting.creations.get(item.address);
  if (maker !== undefined) return void complete(drafting, item, changes, maker, cause);
  const kind = drafting.world.kind(item.kind);
  const why = refusal(kind, item, contextOf(drafting, []));
  if (why === undefined && kind.create !== undefined) return void send(drafting, item, kind.create, creating);
  const message = why?.message ?? `The API cannot create a ${kind.one}.`;
  drafting.find(item, { cause, code: 'create', message, hint: why?.hint?.(item) });
}

function send(
  drafting: Drafting,
  item: DesiredItem,
  { op }: Creation,
  { cause, changes, after, risk }: Creating,
): void {
  const kind = drafting.world.kind(item.kind);
  const missing: Address[] = [];
  const context = contextOf(drafting, missing);
  const path = drafting.ids.path(op, item);
  const now = changes.filter((change) =>
    atCreation(kind, change.field, drafting.ids.sendable(change.after).value),
  );
  const body = bodyFor(drafting, item, now, context, missing);
  if (missing.length + path.missing.length > 0)
    return void drafting.waits(item, [...path.missing, ...missing], cause);
  const also = kind.create?.also?.(item, context) ?? [];
  const [stuck] = also.flatMap(({ item: other }) => lastThere(drafting, other));
  if (stuck !== undefined) return void drafting.find(item, { cause, ...stuck });
  const removed = also.flatMap(({ item: other }) => leaving(drafting, other));
  const creation = drafting.add(item, {
    action: cause === 'drift' ? 'drift' : 'create',
    cause,
    op,
    path: path.value,
    body: op.body && body,
    rank: rankOf(kind.name, 0),
    fields: shownChanges(drafting, now, false),
    applied: { ...appliedBy(drafting, now), ...placeOf(drafting, kind, item) },
    after: new Set([...(after ? [after] : []), ...removed]),
    // What is new has nothing to lose.
    risks: risk === undefined ? [] : [risk],
  });
  // What a path names before it is there has its id from elsewhere: a member of a team that of the person.
  drafting.ids.set(item.address, path.value[kind.parameter] ?? madeBy(creation, kind.create?.id));
  for (const { item: other, path: where } of also) drafting.ids.set(other.address, madeBy(creation, where));
  for (const { address } of [item, ...also.map((one) => one.item)]) drafting.creations.set(address, creation);
  const left = changes.filter((change) => !now.includes(change));
  complete(drafting, item, left, creation, cause);
}

function madeBy({ id }: ItemDraft, path = 'id'): Reference {
  return { $from: id, path };
}

/** What a creation makes again must leave its old place first. */
function leaving(drafting: Drafting, other: DesiredItem): ItemDraft[] {
  const live = drafting.world.matched.live.get(other.address);
  if (live === undefined || other.protected) return [];
  const removal = freed(drafting, other, live);
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
  item: DesiredItem,
  changes: readonly FieldChange[],
  creation: ItemDraft,
  cause: Cause,
): void {
  const possible = changes.filter(({ field, after }) => field.fixed === undefined || after === null);
  setAll(drafting, item, possible, { rank: rankOf(item.kind, 1), cause, after: [creation] });
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
  item: DesiredItem,
  fields: Readonly<Record<string, unknown>>,
  cause: Cause,
): FieldChange[] {
  const kind = world.kind(item.kind);
  return kind.fields.flatMap((field) => {
    const value = fields[field.key] ?? null;
    if (value === null || isKeyField(kind, field)) return [];
    return namedParts(field, value).map(({ value: part, ...named }) => ({
      ...{ ...named, before: null, cause },
      after: comparable(field, part, world.addressOf),
    }));
  });
}

function bodyFor(
  drafting: Drafting,
  item: DesiredItem,
  changes: readonly FieldChange[],
  context: CreationContext,
  missing: Address[],
): Record<string, unknown> {
  const body: Record<string, unknown> = {
    ...drafting.world.kind(item.kind).create?.more?.(item, context),
  };
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
