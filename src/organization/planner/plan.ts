import { counted } from '../../output/counted.js';
import { guardCode } from '../../plans/guards.js';
import type { Lock } from '../../plans/lock.js';
import type { LockChange, PlanNote } from '../../plans/plan.js';
import type { Kind } from '../kind.js';
import { kinds as allKinds } from '../kinds/index.js';
import type { Address, Desired, DesiredItem, KindName, Live } from '../model.js';
import { planAbsent } from './absent.js';
import { addConditionRisks } from './condition-risks.js';
import { planMissing } from './create.js';
import { Drafting } from './drafting.js';
import { draftsOf } from './drafts.js';
import { planExisting } from './existing.js';
import { guardEntry } from './guard-settings.js';
import { checkGuards } from './guards.js';
import { freeNames } from './names.js';
import type { Planned, PlanOptions } from './options.js';
import { planOrder } from './order/plan-order.js';
import { waitForPlaces, waitForRemovals } from './removals.js';
import { stayingItems } from './staying.js';
import { watched } from './watch.js';
import { World } from './world.js';

export type { Planned, PlanOptions } from './options.js';

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
  const byKind = new Map<KindName, DesiredItem[]>();
  for (const item of desired.items.values()) {
    const list = byKind.get(item.kind);
    if (list === undefined) byKind.set(item.kind, [item]);
    else list.push(item);
  }
  for (const kind of kinds) planKind(drafting, kind, byKind.get(kind.name) ?? []);
  tellUnreadFields(drafting);
  for (const kind of kinds) planAbsent(drafting, kind);
  waitForPlaces(drafting);
  planOrder(drafting);
  for (const plan of drafting.deferred) plan();
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
  const count = drafts.filter(({ request }) => request !== undefined).length;
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
  for (const item of items) if (!isUnread(item)) planItem(drafting, kind, item);
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

function planItem(drafting: Drafting, kind: Kind, item: DesiredItem): void {
  const { matched } = drafting.world;
  const several = matched.ambiguous.get(item.address);
  const live = matched.live.get(item.address);
  if (several !== undefined) {
    const [first] = several;
    const ids = several.map(({ id }) => id).join(', ');
    drafting.find(item, {
      code: 'ambiguous',
      message: `${item.address} matches ${several.length} items on the platform: ${ids}.`,
      hint: `docs adopt ${item.address}=${first?.id}`,
    });
  } else if (item.external) {
    if (live !== undefined) return;
    drafting.find(item, {
      code: 'external',
      message: `${item.address} not found on the platform; it is external, so docs does not create it.`,
      hint: `Correct its key in ${item.at.file}, or create it where it is managed.`,
    });
  } else if (live === undefined) planMissing(drafting, kind, item);
  else planExisting(drafting, kind, item, live);
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
    const kind = address.slice(0, address.indexOf('/')) as KindName;
    if (!world.live.items.has(kind) || kind === 'organization' || world.unread.hasSome(kind)) continue;
    if (world.liveById(kind, String(entries[address]?.id)) === undefined)
      settled.push({ item: address, to: null });
  }
  const unique = new Map(settled.map((change) => [change.item, change]));
  // Guards count once a plan that breaks none was applied with them.
  const isBroken = findings.some(({ code }) => code === guardCode);
  return [...unique.values(), ...(isBroken ? [] : guardEntry(world))];
}
