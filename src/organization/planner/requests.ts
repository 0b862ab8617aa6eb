import { roles } from '../../api/shapes.js';
import { addTo, groupBy, isObject } from '../../base/values.js';
import { bodyOf } from '../kinds/declare.js';
import type { Address, DesiredItem, Kind, KindName, LiveItem } from '../model.js';
import { isSecret, lockHash } from '../value.js';
import { isUnnamedButKept } from './absent.js';
import type { FieldChange } from './compare.js';
import {
  type Cause,
  type Drafting,
  type ItemDraft,
  keyOf,
  kindNamed,
  phases,
  type Shown,
  shown,
} from './drafting.js';
import type { World } from './world.js';

/** Sentences about changes that people should look at twice, beside what widens exposure (jobs/exposure.ts). */

type Risk = (key: string, change: FieldChange) => string | undefined;

/** Roles from high to low; a guest has none. */
const ranked: readonly unknown[] = [...roles, 'guest'];

/** By kind and field. */
const risks: Readonly<Record<string, Risk>> = {
  'people.role': (key, { before, after }) => {
    const isLower = ranked.indexOf(after) > ranked.indexOf(before) && ranked.includes(before);
    return isLower ? `${key} would lose the role ${String(before)}.` : undefined;
  },
  'people.sso': (key) => `${key} would sign in by SSO only, and the API cannot undo that.`,
  'organization.sso': (_, { after }) =>
    after === true ? 'Members without SSO could no longer sign in.' : undefined,
  'fields.options': (key, { before, after }) => {
    const lost = difference(before, after);
    return lost.length === 0 ? undefined : `Spaces would lose the value ${lost.join(', ')} of ${key}.`;
  },
};

export function risksOf(
  { kind, key }: DesiredItem,
  change: FieldChange,
  live: LiveItem | undefined,
): string[] {
  // What is new has nothing to lose.
  if (live === undefined) return [];
  const found = risks[`${kind}.${change.field.key}`]?.(key, change);
  return found === undefined ? [] : [found];
}

function difference(all: unknown, without: unknown): unknown[] {
  const rest: unknown[] = Array.isArray(without) ? without : [];
  return Array.isArray(all) ? all.filter((one) => !rest.includes(one)) : [];
}

/** Requests that set fields. */

/** A request that sets some fields of one item. */
interface Setting {
  op: NonNullable<Kind['update']>;
  changes: readonly FieldChange[];
  body: Readonly<Record<string, unknown>> | undefined;
  missing: readonly Address[];
}

interface More extends Pick<ItemDraft, 'rank'> {
  /** Default: that of the changes. */
  cause?: Cause;
  live?: LiveItem;
  after?: Iterable<ItemDraft>;
}

/** Plans the requests that set fields; those that name things inside the item once everything stands. */
export function setAll(
  drafting: Drafting,
  item: DesiredItem,
  changes: readonly FieldChange[],
  more: More,
): void {
  if (changes.length === 0) return;
  const isLast = ({ field }: FieldChange) => field.last === true;
  const now = changes.filter((change) => !isLast(change));
  for (const setting of settingsOf(drafting, item, now)) addSetting(drafting, item, setting, more);
  const last = changes.filter((change) => isLast(change) && !refused(drafting, item, change, more));
  if (last.length === 0) return;
  drafting.deferred.push(() => {
    for (const setting of settingsOf(drafting, item, last))
      addSetting(drafting, item, setting, { ...more, rank: [phases.defaults] });
  });
}

/** Whether a change names what the platform would not take, which is then a finding. */
function refused(drafting: Drafting, item: DesiredItem, change: FieldChange, { cause, live }: More): boolean {
  const why = unfitDefault(drafting.world, item, change);
  if (why === undefined) return false;
  const fields = shownChanges(drafting, [change], live !== undefined);
  drafting.find(item, { cause: cause ?? causeOfAll([change]), code: 'change', fields, ...why });
  return true;
}

/** Changes as requests: one of the update, and one of each other operation that sets a field. */
function settingsOf(drafting: Drafting, item: DesiredItem, changes: readonly FieldChange[]): Setting[] {
  const op = drafting.world.kind(item.kind).update;
  const plain = changes.filter(({ field }) => field.setBy === undefined);
  const others = groupBy(
    changes.filter(({ field }) => field.setBy !== undefined),
    ({ field }) => field,
  );
  const own = plain.length > 0 && op !== undefined ? [update(drafting, op, plain)] : [];
  return [...own, ...[...others.values()].map((some) => setBy(drafting, some))];
}

function update(drafting: Drafting, op: Setting['op'], changes: readonly FieldChange[]): Setting {
  const body: Record<string, unknown> = {};
  const missing: Address[] = [];
  for (const field of new Set(changes.map((change) => change.field))) {
    const { value, lacks } = sentValue(
      drafting,
      changes.filter((change) => change.field === field),
    );
    missing.push(...lacks);
    const [first] = changes.filter((change) => change.field === field);
    Object.assign(body, bodyOf(field, value, kindNamed(first?.after) ?? field.refers));
  }
  return { op, changes, body, missing };
}

function setBy(drafting: Drafting, changes: readonly FieldChange[]): Setting {
  const [{ field }] = changes as [FieldChange];
  const { value, lacks } = sentValue(drafting, changes);
  const { op, body } = field.setBy as NonNullable<typeof field.setBy>;
  return { op, changes, body: body(value) as Setting['body'], missing: lacks };
}

/** The value that a request sends: of a map the keys that change. */
function sentValue(
  drafting: Drafting,
  changes: readonly FieldChange[],
): { value: unknown; lacks: Address[] } {
  const [first] = changes as [FieldChange];
  if (first.key === undefined) {
    const { value, missing } = drafting.ids.sendable(first.after);
    return { value, lacks: [...missing] };
  }
  const lacks: Address[] = [];
  const parts = changes.map(({ key = '', after, field }) => {
    const { value, missing } = drafting.ids.sendable(after);
    lacks.push(...missing, ...unknownKey(drafting, field.mapOf, key));
    return [key, value];
  });
  return { value: Object.fromEntries(parts), lacks };
}

/** The item that a key of a map names, where nothing has it and nothing makes it. */
function unknownKey({ world, ids }: Drafting, kind: KindName | undefined, key: string): Address[] {
  if (kind === undefined || ids.of(`${kind}/${key}`) !== undefined) return [];
  const live = world.live.items.get(kind);
  return live === undefined || live.some((one) => one.natural === key || one.id === key)
    ? []
    : [`${kind}/${key}`];
}

/** Adds the request to the plan, or says what it waits for. */
function addSetting(drafting: Drafting, item: DesiredItem, setting: Setting, more: More): void {
  const { op, changes, body, missing } = setting;
  const path = drafting.ids.path(op, item);
  const cause = more.cause ?? causeOfAll(changes);
  if (missing.length + path.missing.length > 0)
    return void drafting.waits(item, [...path.missing, ...missing], cause);
  const { live, after = [], rank } = more;
  const added = drafting.add(item, {
    action: cause === 'drift' ? 'drift' : op.id.includes('.link') ? 'link' : 'update',
    cause,
    op,
    path: path.value,
    ...{ body, live, rank },
    fields: shownChanges(drafting, changes, live !== undefined),
    applied: appliedBy(drafting, changes),
    risks: changes.flatMap((change) => risksOf(item, change, live)),
    after: new Set([
      ...after,
      ...changes.flatMap((change) => [...namedBy(drafting, change), ...filledBy(drafting, change)]),
    ]),
  });
  if (live !== undefined) for (const change of changes) release(drafting, live, change, added);
}

export function shownChanges({ world }: Drafting, changes: readonly FieldChange[], isThere: boolean): Shown {
  return Object.fromEntries(
    changes.map(({ name, before, after }) => {
      const to = world.environment.sealed(shown(after));
      const secret = isSecret(after);
      return [name, isThere && !secret ? { before: shown(before), after: to } : { after: to }];
    }),
  );
}

export function appliedBy({ world }: Drafting, changes: readonly FieldChange[]): Record<string, string> {
  return Object.fromEntries(
    changes.map(({ name, after }) => [name, lockHash(world.environment.resolved(after), isSecret(after))]),
  );
}

/** A value of a custom field needs the field, and its options, as the plan leaves them. */
function namedBy({ about }: Drafting, { field, key }: FieldChange): ItemDraft[] {
  return field.mapOf === undefined || key === undefined ? [] : (about.get(`${field.mapOf}/${key}`) ?? []);
}

/** The platform refuses an empty section as the first: where no space of it stays, a new one comes before. */
function filledBy({ world, creations, removals }: Drafting, change: FieldChange): ItemDraft[] {
  const section = shownFirst(world, change);
  const live = section && world.matched.live.get(section.address);
  if (section?.kind !== sections || live === undefined) return [];
  if (world.liveChildren(live).some((one) => !removals.has(one))) return [];
  const [first] = world.children(section.address).flatMap(({ address }) => creations.get(address) ?? []);
  return first === undefined ? [] : [first];
}

/** What an item named until now can be removed once it no longer does. */
function release({ releases }: Drafting, live: LiveItem, { field, key }: FieldChange, by: ItemDraft): void {
  const names =
    field.mapOf === undefined || key === undefined
      ? idsIn(live.fields[field.key])
      : [`${field.mapOf} ${key}`];
  for (const name of names) addTo(releases, name, by);
}

function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { $id, kind } = value as { $id?: unknown; kind?: unknown };
  return typeof $id === 'string' ? [`${kind} ${$id}`] : Object.values(value).flatMap(idsIn);
}

/** A request that both changes and repairs is a change. */
function causeOfAll(changes: readonly FieldChange[]): Cause {
  return changes.every(({ cause }) => cause === 'drift') ? 'drift' : 'change';
}

/**
 * What a site or a section shows first. The platform refuses some items there and passes over others, so that their
 * `default` would be set again by each plan.
 */

const sections: KindName = 'sections';
const spaces: KindName = 'site-spaces';

/** Why an item cannot show first what its file names, and what to do; undefined where it can. */
function unfitDefault(
  world: World,
  item: DesiredItem,
  change: FieldChange,
): { message: string; hint: string } | undefined {
  const target = shownFirst(world, change);
  if (target === undefined) return undefined;
  if (target.kind === sections) return emptySection(world, target);
  return target.kind === spaces && target.parent !== item.address ? elsewhere(item, target) : undefined;
}

/** What a change puts first, where the files have it. */
function shownFirst(world: World, { field, after }: FieldChange): DesiredItem | undefined {
  const named = isObject(after) && typeof after.$ref === 'string' ? (after.$ref as Address) : undefined;
  return field.last === true && named !== undefined ? world.item(named) : undefined;
}

/** A site shows the first section with spaces in place of one without any. */
function emptySection(world: World, target: DesiredItem): { message: string; hint: string } | undefined {
  const { address, key, at } = target;
  if (hasSpaces(world, address)) return undefined;
  const site = address.slice(0, address.lastIndexOf('/') + 1);
  const others = [...world.desired.items.keys()].filter((one) => one.startsWith(site));
  const shown = others.find((one) => hasSpaces(world, one));
  // Where no section has spaces, the site may begin with any of them.
  if (shown === undefined) return undefined;
  return {
    message: `The section ${key} has no spaces, and a site opens with a section that has some.`,
    hint: `Add a space to ${key} in ${at.file}, or write "default: ${keyOf(shown)}".`,
  };
}

/** Whether a section will have spaces: those of the files, and those that no file names and that stay. */
function hasSpaces(world: World, address: Address): boolean {
  const live = world.matched.live.get(address);
  return (
    world.children(address).some(({ kind }) => kind === spaces) ||
    (live !== undefined &&
      world.liveChildren(live).some((one) => one.kind === spaces && isUnnamedButKept(world, one)))
  );
}

/** A section shows a space of its own first, and a site with sections a section. */
function elsewhere(item: DesiredItem, { key, parent, at }: DesiredItem): { message: string; hint: string } {
  const around = parent?.startsWith(`${sections}/`) ? keyOf(parent) : undefined;
  if (item.kind === sections || around === undefined)
    return {
      message: `The space ${key} is not in ${item.address}, so it cannot be its default.`,
      hint: `Write the key of one of its own spaces as "default" in ${at.file}.`,
    };
  return {
    message: `The space ${key} is in a section, and the default of a site with sections is a section.`,
    hint: `Write "default: ${around}" for the site, and "default: ${key}" in that section, in ${at.file}.`,
  };
}
