import {
  type BrokenCondition,
  brokenConditions,
  ClaimSet,
  claimsDiff,
} from '../../access/adaptive/claims.js';
import { setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { groupBy } from '../../base/values.js';
import { counted } from '../../output/text.js';
import type { Lock } from '../../plans/lock.js';
import type { Draft, LockChange, PlanNote } from '../../plans/plan.js';
import { guardCode } from '../../plans/schema.js';
import { kinds as allKinds } from '../kinds/index.js';
import { folded } from '../match.js';
import {
  type Address,
  type Desired,
  type DesiredItem,
  type Kind,
  type KindName,
  kindIn,
  type Live,
  type LiveItem,
} from '../model.js';
import { isSecret } from '../value.js';
import { goesAlong, planAbsent, standsWithOwner } from './absent.js';
import { compared, conflict, type FieldChange, isUnchanged, placed, taken } from './compare.js';
import { planMissing, replace } from './create.js';
import { Drafting, draftsOf, type ItemDraft, rankOf } from './drafting.js';
import { after, checkGuards, guardEntry } from './guards.js';
import { freeNames } from './names.js';
import { planOrder } from './order.js';
import { setAll, shownChanges } from './requests.js';
import { watched } from './watch.js';
import { isInside, type PlanOptions, World } from './world.js';

export interface Planned {
  /** In the order in which they are sent; findings and what is withheld last. */
  drafts: readonly Draft[];
  /** Entries of the lock that are out of date although files and platform agree. */
  settled: readonly LockChange[];
  risks: readonly string[];
  notes: readonly PlanNote[];
}
/**
 * Compares files, platform and lock, and plans the operations that bring the platform in line with the files. Sends
 * nothing.
 * Guards that would be broken are findings with the code `guarded`: `refuseGuarded` refuses to apply them.
 * @throws DocsError usage `env_unset`, with all variables
 */
export function planOrganization(
  desired: Desired,
  live: Live,
  lock: Lock | undefined,
  options: PlanOptions,
  kinds: readonly Kind[] = allKinds,
): Planned {
  const drafting = new Drafting(new World(desired, live, lock, options, kinds));
  const byKind = groupBy(desired.items.values(), ({ kind }) => kind);
  for (const kind of kinds) planKind(drafting, kind, byKind.get(kind.name) ?? []);
  tellUnreadFields(drafting);
  for (const kind of kinds) planAbsent(drafting, kind);
  for (const plan of drafting.deferred) plan();
  waitForPlaces(drafting);
  planOrder(drafting);
  freeNames(drafting);
  waitForRemovals(drafting);
  addConditionRisks(drafting);
  const risks = checkGuards(drafting);
  const notes = [...kinds.flatMap((kind) => stayingItems(drafting, kind)), ...watched(drafting)];
  if (options.only === 'drift' && options.watches === true) {
    const changes = planOrganization(desired, live, lock, { ...options, only: 'change' }, kinds);
    notes.push(...pendingNote(changes));
  }
  return { drafts: draftsOf(drafting), settled: settledEntries(drafting), risks, notes };
}

/** With a lock that is older than the last apply, a change that was taken back by hand looks like one of the files. */
function pendingNote({ drafts }: Planned): PlanNote[] {
  const count = drafts.filter(({ change }) => change !== undefined).length;
  if (count === 0) return [];
  const message = 'The files have changes that docs.lock.json does not know as applied.';
  return [{ code: 'pending', item: 'changes', message, hint: '"docs plan" shows them.', count }];
}

function planKind(drafting: Drafting, kind: Kind, items: readonly DesiredItem[]): void {
  const { world } = drafting;
  const [first] = items;
  if (first !== undefined && !world.live.items.has(kind.name)) {
    drafting.find(first, {
      code: 'unread',
      message: `Failed to read the ${kind.name} of the organization, so the plan leaves them out.`,
      hint: 'Use a token that may read them, or remove them from the files.',
    });
    return;
  }
  const isUnread = ({ address }: DesiredItem) =>
    !world.matched.ambiguous.has(address) && world.mayBeUnread(address);
  for (const item of items) if (!isUnread(item)) planItem(drafting, item);
  tellUnread(drafting, kind, items.filter(isUnread));
}

function tellUnread(drafting: Drafting, { name }: Kind, [first, ...others]: readonly DesiredItem[]): void {
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'more item')} of the files`;
  drafting.find(first, {
    code: 'unread',
    message: `Failed to read all ${name}, so the plan leaves out ${first.address}${more}.`,
    hint: 'Use a token that may read them, or remove them from the files.',
  });
}

function tellUnreadFields(drafting: Drafting): void {
  for (const { first, field, others } of drafting.unreadFields.values()) {
    const more = others === 0 ? '' : ` and ${counted(others, 'more item')}`;
    drafting.find(first, {
      code: 'unread',
      message: `Failed to read ${field} of ${first.address}${more}, so the plan leaves it out.`,
      hint: 'Use a token that may read it, or remove it from the files.',
    });
  }
}

function planItem(drafting: Drafting, item: DesiredItem): void {
  const { matched } = drafting.world;
  const several = matched.ambiguous.get(item.address);
  const live = matched.live.get(item.address);
  if (several !== undefined) {
    const [first] = several;
    const ids = several.map(({ id }) => id).join(', ');
    drafting.find(item, {
      code: 'ambiguous',
      message: `${item.address} matches ${several.length} items on the platform: ${ids}.`,
      hint: `docs plan adopt ${item.address}=${first?.id}`,
    });
  } else if (item.external) {
    if (live !== undefined) return;
    drafting.find(item, {
      code: 'external',
      message: `${item.address} not found on the platform; it is external, so docs does not create it.`,
      hint: `Correct its key in ${item.at.file}, or create it where it is managed.`,
    });
  } else if (live === undefined) planMissing(drafting, item);
  else planExisting(drafting, item, live);
}

/** Entries of the lock that change although no operation of the plan is about them. */
function settledEntries({ world, bases, about, findings }: Drafting): LockChange[] {
  const settled: LockChange[] = [];
  for (const [item, { id, applied, unsettled, beside }] of bases)
    if (unsettled && !about.has(item)) {
      const from = world.entry(item) ?? null;
      settled.push({ item, to: { id: String(id), applied }, ...(beside && { from }) });
    }
  const entries = world.lock?.items ?? {};
  for (const [item, former] of world.matched.former) {
    if (!world.matched.live.has(item)) continue;
    settled.push({ item: former, to: null });
    // The tie of a renamed key holds even where the operation about it fails.
    const entry = entries[former];
    if (about.has(item) && entry !== undefined) settled.push({ item, to: entry });
  }
  for (const address in entries) {
    if (world.desired.items.has(address as Address)) continue;
    const kind = kindIn(address);
    if (!world.live.items.has(kind) || kind === 'organization' || world.unread.hasSome(kind)) continue;
    if (world.liveById(kind, String(entries[address]?.id)) === undefined)
      settled.push({ item: address, to: null });
  }
  const unique = new Map(settled.map((change) => [change.item, change]));
  // Guards count once a plan that breaks none was applied with them.
  const isBroken = findings.some(({ finding }) => finding.code === guardCode);
  return [...unique.values(), ...(isBroken ? [] : guardEntry(world))];
}

/**
 * Notes for memberships that were removed from the list of a person but stay on the platform, since the list is not
 * exact: the files look as if the person had left the team.
 */
function stayingItems(drafting: Drafting, kind: Kind): PlanNote[] {
  const { world } = drafting;
  const { names, name, one, spot } = kind;
  if (names === undefined || !standsWithOwner(world, kind)) return [];
  return (world.live.items.get(name) ?? []).flatMap((live) => {
    if (world.matched.named.has(live) || world.isContested(live)) return [];
    const owner = live.natural && world.addressOf(names, live.natural);
    const item = owner ? world.item(owner) : undefined;
    const locked = world.lockedAs(live);
    if (item === undefined || item.external || locked === undefined) return [];
    const manage = world.scopeOf(name, live)?.manage ?? 'additive';
    if (manage === 'exact' || goesAlong(drafting, kind, live)) return [];
    const message = `The ${one} is no longer in ${spot.file} and stays on the platform: "${name}: ${manage}" removes nothing.`;
    const hint = `To remove it, write "${name}: exact" in ${spot.file} and add --prune; to keep it, put it back.`;
    return [{ code: 'stays', item: locked, message, hint }];
  });
}

/** A removal waits until what stands in the item has left or is removed, and until nothing names it. */
function waitForRemovals(drafting: Drafting): void {
  const { removals, about, world, creations } = drafting;
  for (const [live, removal] of removals) {
    if (creations.has(removal.address)) continue;
    for (const inside of world.liveChildren(live)) {
      const removed = removals.get(inside);
      if (removed !== undefined) removal.after.add(removed);
      const address = world.matched.named.get(inside);
      const moves = (address && about.get(address)) ?? [];
      for (const one of moves) if (one.fields.parent !== undefined) removal.after.add(one);
    }
    waitForReleases(drafting, live, removal);
  }
}

/** What goes elsewhere is created again, so this decides when: before the order of what is created is planned. */
function waitForPlaces(drafting: Drafting): void {
  for (const [live, removal] of drafting.removals) {
    if (!drafting.creations.has(removal.address)) continue;
    waitForOthers(drafting, live, removal);
    waitForReleases(drafting, live, removal);
  }
}

/**
 * What is named leaves once it no longer is. What a site or section shows first is replaced before it goes, or is empty: the
 * platform would else choose another, and undo would take that for what was there. Where that needs something new, which comes
 * in its own order, the choice must stay, so it is made last.
 */
function waitForReleases(drafting: Drafting, live: LiveItem, removal: ItemDraft): void {
  const { world, removals, releases } = drafting;
  const { parent } = live;
  const beside = parent?.kind === 'sections' ? world.liveChildren(parent) : [];
  const isEmptied = parent !== undefined && beside.length > 0 && beside.every((one) => removals.has(one));
  for (const { kind, id } of isEmptied ? [live, parent] : [live])
    for (const setting of releases.get(`${kind} ${id}`) ?? []) {
      const isReady = isEmptied || beside.length === 0 || !needsCreation(drafting, setting);
      if (isReady && !needs(setting, removal)) removal.after.add(setting);
      else for (const one of beside) waitFor(setting, removals.get(one));
    }
}

function needsCreation({ creations }: Drafting, { after }: ItemDraft): boolean {
  return [...after].some((one) => creations.get(one.address) === one);
}

function waitFor(operation: ItemDraft, other: ItemDraft | undefined): void {
  if (other !== undefined && !needs(other, operation)) operation.after.add(other);
}

/** What goes elsewhere leaves once its place is taken, where it is the last there: a section keeps a space. */
function waitForOthers(drafting: Drafting, live: LiveItem, removal: ItemDraft): void {
  const { world, removals, creations } = drafting;
  const { parent } = live;
  const beside = world.liveChildren(parent).filter(({ kind }) => kind === live.kind);
  if (parent === undefined || beside.some((one) => !removals.has(one))) return;
  for (const { address, kind } of world.children(world.matched.named.get(parent))) {
    const creation = creations.get(address);
    if (kind === live.kind && creation !== undefined && !needs(creation, removal))
      removal.after.add(creation);
  }
}

/** Whether an operation comes after another, by whatever way. */
function needs(operation: ItemDraft, other: ItemDraft): boolean {
  const seen = new Set<ItemDraft>();
  const waiting = [operation];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === other) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    waiting.push(...at.after);
  }
  return false;
}

/** The kinds that can have a condition, in the order of the sentences, as conditions call them. */
const kinds = [
  ['sections', 'section'],
  ['site-spaces', 'site-space'],
] as const;

type ConditionHolder = Parameters<typeof brokenConditions>[1][number];

/** Adds a risk for each condition that a new schema breaks: of what the plan leaves on the site, and of what it adds. */
function addConditionRisks(drafting: Drafting): void {
  for (const operation of drafting.operations) {
    const { change, live: site } = operation;
    const body = change.input.body as { jsonSchema?: unknown } | undefined;
    if (change.op !== setAdaptiveSchema || site === undefined) continue;
    const diff = claimsDiff(new ClaimSet(site.fields.schema), new ClaimSet(body?.jsonSchema));
    const parts = kinds.flatMap(([name, kind]) => partsOf(drafting, { site, operation, name, kind }));
    operation.risks.push(...brokenConditions(diff, parts).map(riskOf));
  }
}

interface SchemaChange {
  site: LiveItem;
  /** The one that sets the schema. */
  operation: ItemDraft;
  name: KindName;
  kind: ConditionHolder['kind'];
}

function partsOf(drafting: Drafting, { site, operation, name, kind }: SchemaChange): ConditionHolder[] {
  const { world, about, creations } = drafting;
  const live = (world.live.items.get(name) ?? []).filter(
    (one) => isInside(one, site) && !isRemoved(drafting, one),
  );
  const staying = live.flatMap((one) => {
    const changed = conditionAfter(about.get(world.nameOf(one)));
    const condition = changed === undefined ? one.fields.condition : changed;
    return partWith(condition, { kind, id: one.id, title: world.callOf(one) });
  });
  const added = [...creations.keys()].flatMap((address) => {
    const item = world.item(address);
    if (item?.kind !== name || !standsIn(drafting, address, operation.address)) return [];
    const condition = conditionAfter(about.get(address));
    return partWith(condition, { kind, id: address, title: item.key });
  });
  return [...staying, ...added];
}

/** @returns undefined where nothing changes it; null where it is cleared */
function conditionAfter(operations: readonly ItemDraft[] | undefined = []): unknown {
  return operations.map((one) => after(one, 'condition')).findLast((value) => value !== undefined);
}

/** Also with what is around it. */
function isRemoved({ removals }: Drafting, live: LiveItem): boolean {
  for (let at: LiveItem | undefined = live; at !== undefined; at = at.parent)
    if (removals.has(at)) return true;
  return false;
}

function standsIn({ world }: Drafting, address: Address, site: Address): boolean {
  for (let at = world.item(address); at !== undefined; at = at.parent && world.item(at.parent))
    if (at.address === site) return true;
  return false;
}

function partWith(
  condition: unknown,
  named: Pick<ConditionHolder, 'kind' | 'id' | 'title'>,
): ConditionHolder[] {
  return typeof condition === 'string' ? [{ ...named, path: '', condition }] : [];
}

function riskOf({ kind, title, condition, state, why }: BrokenCondition): string {
  const what = `the ${kind.replace('-', ' ')} ${title}, shown if ${condition}`;
  return state === 'breaks'
    ? `The condition of ${what}, would break: ${why}.`
    : `Whether the condition of ${what}, would break is unknown: ${why}.`;
}

/** Plans the operations that bring a live item in line with the files. */
function planExisting(drafting: Drafting, item: DesiredItem, live: LiveItem): void {
  const { world } = drafting;
  tellRenamed(drafting, item, live);
  if (world.kind(item.kind).order === undefined && isUnchanged(world, item, live)) return;
  const comparison = compared(world, item, live);
  const place = placed(drafting, item, live, comparison);
  const { changes, applied, unsettled, unread } = comparison;
  for (const field of unread) drafting.unreadField(item, field);
  if (unsettled || changes.length > 0 || place !== undefined)
    drafting.bases.set(item.address, { id: live.id, applied, unsettled });
  if (place === 'anew') return void replace(drafting, item, live);
  const possible = changes.flatMap((change) => decided(drafting, item, live, change) ?? []);
  setAll(drafting, item, possible, { rank: rankOf(item.kind, 2), live });
}

/** Returns the change if it will be made; otherwise adds a finding that says why not. */
function decided(
  drafting: Drafting,
  item: DesiredItem,
  live: LiveItem,
  change: FieldChange,
): FieldChange | undefined {
  const cause = taken(drafting, item, change.cause);
  if (cause === 'conflict') return void conflict(drafting, item, change);
  if (cause === undefined || !drafting.wants(cause)) return undefined;
  const why = hindrance(drafting, item, live, change);
  if (why === undefined) return { ...change, cause };
  const fields = shownChanges(drafting, [change], true);
  return void drafting.find(item, { cause, code: 'change', fields, ...why });
}

function hindrance(
  { world }: Drafting,
  item: DesiredItem,
  live: LiveItem,
  change: FieldChange,
): { message: string; hint?: string } | undefined {
  const kind = world.kind(item.kind);
  const { field, after } = change;
  const cannot = kind.cannot?.[`change ${field.key}`];
  if (cannot !== undefined) {
    const message = [cannot.message, cannot.more?.(world.live, live)].filter(Boolean).join(' ');
    return { message, hint: cannot.hint?.(item) };
  }
  if (field.fixed !== undefined) return { message: field.fixed };
  if (field.oneWay !== undefined && after !== field.oneWay.to) return { message: field.oneWay.message };
  if (field.setBy === undefined && kind.update === undefined)
    return { message: `The API cannot change ${field.key} of a ${kind.one}.` };
  return unknownOption(world, change);
}

/** A value that is not among the options of its field, as the files or else the platform define them. */
function unknownOption(
  { desired, live, environment }: Drafting['world'],
  { field, key, after }: FieldChange,
): { message: string; hint: string } | undefined {
  if (field.mapOf === undefined || key === undefined) return undefined;
  const known = live.items.get(field.mapOf)?.find(({ natural, id }) => (natural ?? id) === key);
  const { type, options } = { ...known?.fields, ...desired.items.get(`${field.mapOf}/${key}`)?.fields };
  if ((type !== 'select' && type !== 'multiselect') || !Array.isArray(options)) return undefined;
  const values: unknown[] = [environment.resolved(after)].flat();
  const unknown = values.filter((value) => value !== '' && value !== null && !options.includes(value));
  if (unknown.length === 0) return undefined;
  const names = isSecret(after) ? 'the value of its variable' : unknown.map(String).join(', ');
  return {
    message: `The custom field ${key} does not have the option ${names}.`,
    hint: `Choose from ${options.join(', ')}, or add the option in fields.yaml.`,
  };
}

/** Reports a natural key that differs on the platform although the lock identifies the item. */
function tellRenamed(drafting: Drafting, item: DesiredItem, live: LiveItem): void {
  const kind = drafting.world.kind(item.kind);
  if (kind.key === 'own' || kind.names !== undefined || live.natural === undefined) return;
  if (live.natural === item.key || folded(live.natural) === folded(item.key)) return;
  const { field } = kind.key;
  drafting.find(item, {
    code: 'change',
    message: `${item.address} has the ${field} ${live.natural} on the platform, and the API cannot change it.`,
    hint: `Write ${live.natural} in ${item.at.file}, with "was: ${item.key}".`,
    fields: { [field]: { before: live.natural, after: item.key } },
  });
}
