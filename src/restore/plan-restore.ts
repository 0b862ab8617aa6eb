import type { Client } from '../api/client.js';
import { restoreSpace } from '../api/resources/spaces.js';
import { summed } from '../backup/ages.js';
import type { SpaceEntry } from '../backup/manifest.js';
import type { BackupReader } from '../backup/reader.js';
import { pluralOf } from '../base/name.js';
import { isObject } from '../base/values.js';
import type { Resource } from '../jobs/reads.js';
import type { RestorePart } from '../model/resources.js';
import { keyIn, Names, noFiles } from '../organization/keys.js';
import { allowsNull } from '../organization/kinds/declare.js';
import { kindOf, kinds } from '../organization/kinds/index.js';
import { match } from '../organization/match.js';
import type {
  Address,
  Desired,
  DesiredItem,
  Field,
  Kind,
  Live,
  LiveItem,
  LiveReference,
} from '../organization/model.js';
import { planOrganization } from '../organization/planner/plan.js';
import type { PlanOptions } from '../organization/planner/world.js';
import { counted } from '../output/text.js';
import { guardCode } from '../plans/check.js';
import type { Lock } from '../plans/lock.js';
import type { Draft, PlanNote } from '../plans/plan.js';
import { type AccessCompared, type ComparingAccess, compareAccess } from './access.js';
import {
  type ContentGap,
  contentDrafts,
  contentGap,
  isMade,
  nothingUncarried,
  packUrl,
  subjectOf,
} from './content.js';
import { inheritedLevels } from './differing.js';
import { type Facts, type Lacks, lackNotes } from './lacks.js';
import {
  draftsForHelpers,
  draftsForLost,
  findingsForLost,
  helperSites,
  idsNow,
  type LostSpace,
  leftOutWith,
  lostSpaces,
  notesForLost,
} from './lost-spaces.js';
import { ofAccess, partOf } from './parts.js';

/** What a restore would do, and what it would not. */

export interface Restore {
  drafts: readonly Draft[];
  risks: readonly string[];
  notes: readonly PlanNote[];
  /** Addresses of the archives that are imported. */
  packs: readonly string[];
  /** Change requests that have the content and wait to be merged. */
  waits: readonly PlanNote[];
  /** Undefined where nothing of it was to be restored, or compared. */
  access: AccessCompared | undefined;
  /** The notes of what differs now and does not come back. */
  differing: readonly PlanNote[];
}

export interface RestoreOptions {
  reader: BackupReader;
  client: Client;
  /** What the backup shows, and what the platform shows. */
  saved: Live;
  live: Live;
  /** The collections whose order of spaces the backup has. */
  ordered: ReadonlySet<string>;
  parts: ReadonlySet<RestorePart>;
  /** The spaces that were named; undefined for all. */
  only: ReadonlySet<string> | undefined;
  importBase: string | undefined;
  /** Undefined where access is not compared. */
  access: ComparingAccess | undefined;
  /** Whether a restore of a space from the trash was refused before. */
  wasRefused(id: string): boolean;
  /** Whether a restore on this machine made a site. */
  madeHere(siteId: string): boolean;
  planning: Pick<PlanOptions, 'self' | 'env'>;
  /** Commands that notes name. */
  commands: { again: string; pack(entry: SpaceEntry): string; space(entry: SpaceEntry): string };
}

/** Sends nothing but reads. @throws DocsError as the reads; as `planOrganization` */
export async function planRestore(options: RestoreOptions): Promise<Restore> {
  const { client, saved, live, parts, commands } = options;
  const lost = await lostSpaces(client, saved, live, options.wasRefused);
  const wanted = new BackupItems(options, lost).all();
  const choices = { ...options.planning, prune: false, take: new Map<string, never>() };
  const own = planOrganization(wanted.desired, live, wanted.lock, choices, kindsFor(parts));
  const comesBack = parts.has('structure') || parts.has('pages');
  const back = comesBack ? lost.filter(({ saved: { id } }) => isNamed(options, id)) : [];
  const planned = own.drafts.flatMap(restoring);
  const changes = [...planned.filter(sends), ...draftsForLost(back, saved.organizationId)];
  const { gaps, uncarried } = await gapsOf(options, lost);
  const findings = planned.filter((draft) => !sends(draft));
  for (const gap of gaps) {
    const finding = unimportable(gap, options);
    if (finding === undefined) changes.push(...importing(gap, options, changes.length));
    else findings.push(finding);
  }
  const helpers = helperSites(live, lost, options.madeHere);
  if (parts.has('sites') && options.only === undefined)
    changes.push(...draftsForHelpers(helpers, saved.organizationId, changes));
  findings.push(...findingsForLost(back));
  const created = changes.filter(hasNewId).length;
  const access = await accessOf(options, lost);
  const lacking = await lacks(options, { content: uncarried, created, access });
  const notes = [
    ...notesForLost(back, commands.again),
    ...gaps.flatMap((gap) => contentNotes(gap, options)),
    ...newerNotes(wanted, new Set(helpers), options),
    ...lacking.notes,
  ];
  return {
    drafts: [...changes, ...findings],
    access,
    differing: lacking.differing,
    risks: own.risks,
    notes,
    packs: packsOf(gaps, options),
    waits: gaps.flatMap(waitingNotes),
  };
}

function sends({ change }: Draft): boolean {
  return change !== undefined;
}

/** What comes out of the trash keeps its id, and a membership has that of the person. */
function hasNewId({ action, kind, change }: Draft): boolean {
  if (action !== 'create' || change === undefined || change.op.id === restoreSpace.id) return false;
  return kind !== 'memberships' && kind !== 'change-requests';
}

function isNamed({ only }: Pick<RestoreOptions, 'only'>, id: string): boolean {
  return only === undefined || only.has(id);
}

/** Without the structure, spaces stay where they are. */
function kindsFor(parts: ReadonlySet<RestorePart>): readonly Kind[] {
  if (parts.has('structure')) return kinds;
  return kinds.map((kind) => {
    const { order: _, ...rest } = kind;
    return kind.name === 'spaces' ? rest : kind;
  });
}

/** What to do about a finding of the planner, where its own words are about files. */
const hints: Readonly<Record<string, string | undefined>> = {
  waits: 'Run the restore again once it is there.',
  ambiguous: 'Give them different titles, then run the restore again.',
  unread: 'Use a token that may read them.',
  [guardCode]: 'Leave that part out with --only.',
};

function restoring(draft: Draft): Draft[] {
  if (draft.change !== undefined) {
    const { lock, ...change } = draft.change;
    if (lock === undefined) return [draft];
    // `support/ada@acme.example`: where it stands is part of what people call it.
    return [{ ...draft, key: lock.item.slice(lock.item.indexOf('/') + 1), change }];
  }
  const { code, message, hint } = draft.finding;
  // What is not to be restored only names others.
  if (code === 'external') return [];
  const what = code === 'create' && draft.kind === 'people' ? hint : hints[code];
  return [{ ...draft, finding: { code, message, ...(what !== undefined && { hint: what }) } }];
}

/** Of the spaces that are asked for, and that the platform has. */
async function accessOf(
  options: RestoreOptions,
  lost: readonly LostSpace[],
): Promise<AccessCompared | undefined> {
  const { access, client, reader, live, parts } = options;
  if (access === undefined || !ofAccess.some((part) => parts.has(part))) return undefined;
  const now = idsNow(lost);
  const wanted = new Set(reader.manifest.spaces.flatMap(({ id }) => (isNamed(options, id) ? now(id) : [])));
  const spaces = live.items.get('spaces') ?? reader.manifest.spaces;
  const titles = new Map(spaces.filter(({ id }) => wanted.has(id)).map(({ id, title }) => [id, title]));
  return compareAccess(client, reader, { titles, now }, access);
}

/** What a lack is counted from, beside the two sides. */
async function lacks(
  { reader, saved, live, parts, only }: RestoreOptions,
  counted: Pick<Facts, 'content' | 'created' | 'access'>,
): Promise<Lacks> {
  const { manifest } = reader;
  const { urls } = (await reader.top.json<Resource>(reader.top.find('organization'))) ?? {};
  return lackNotes({
    ...{ saved, live, parts, only, ...counted },
    hasLogo: isObject(urls) && urls.logo !== undefined,
    kinds: new Set(manifest.files.map(({ kind }) => kind)),
    counts: await countsIn(reader, only),
  });
}

/** Counts of the backup, or of the spaces that were named; `unread` is items that the run could not read. */
async function countsIn(
  reader: BackupReader,
  only: ReadonlySet<string> | undefined,
): Promise<Record<string, number>> {
  const { counts, failed, spaces } = reader.manifest;
  if (only === undefined) return { ...counts, unread: failed.length };
  const named = spaces.filter(({ id }) => only.has(id));
  const manifests = await Promise.all(named.map((entry) => reader.space(entry)));
  const unread = manifests.reduce((sum, manifest) => sum + (manifest?.failed.length ?? 0), 0);
  const { spaces: _, ...counted } = summed({}, named);
  return { ...counted, unread };
}

async function gapsOf(options: RestoreOptions, lost: readonly LostSpace[]) {
  let uncarried = nothingUncarried;
  const gaps: ContentGap[] = [];
  if (!options.parts.has('pages')) return { gaps, uncarried };
  const { client, reader, live } = options;
  const spaces = new Map((live.items.get('spaces') ?? []).map((space) => [space.id, space]));
  const idNow = idsNow(lost);
  for (const entry of reader.manifest.spaces) {
    if (!isNamed(options, entry.id) || entry.state === 'planned') continue;
    const space = spaces.get(idNow(entry.id));
    if (space === undefined) continue;
    const now = { spaceId: space.id, revision: space.resource.revision };
    const found = await contentGap(client, reader, entry, now);
    if (found.gap !== undefined) gaps.push(found.gap);
    const { orders, covers, reusables } = found.uncarried;
    uncarried = {
      orders: uncarried.orders + orders,
      covers: uncarried.covers + covers,
      reusables: uncarried.reusables + reusables,
    };
  }
  return { gaps, uncarried };
}

function packsOf(gaps: readonly ContentGap[], options: RestoreOptions): string[] {
  const { importBase } = options;
  if (importBase === undefined) return [];
  return gaps.flatMap((gap) => (isMade(gap, options) ? [] : [packUrl(importBase, gap.entry)]));
}

/** The finding in place of an import that has no address. */
function unimportable(gap: ContentGap, options: RestoreOptions): Draft | undefined {
  if (options.importBase !== undefined || isMade(gap, options)) return undefined;
  const { entry } = gap;
  const message = `${missingIn(gap)}, and not restored: the platform imports content from a URL only. Host the archive of the space, and restore it with --import-base <url>.`;
  const finding = { code: 'content_needs_url', message, hint: options.commands.pack(entry) };
  return { kind: 'pages', key: entry.title, action: 'finding', fields: {}, finding };
}

function importing(gap: ContentGap, options: RestoreOptions, first: number): Draft[] {
  const { importBase, reader } = options;
  if (importBase === undefined || isMade(gap, options)) return [];
  const { entry } = gap;
  return contentDrafts(gap, { url: packUrl(importBase, entry), subject: subjectOf(entry, reader), first });
}

/** What a restore tells beside its operations. */

/** How much of the content is missing, as the beginning of a sentence. */
function missingIn({ pages, files }: ContentGap): string {
  const parts = [counted(pages, 'page'), counted(files, 'file')].filter((words) => !words.startsWith('0 '));
  return `${parts.join(' and ')} of the backup ${pages + files === 1 ? 'is' : 'are'} missing or changed`;
}

/** What becomes of the content of a space that differs. */
function contentNotes(gap: ContentGap, options: RestoreOptions): PlanNote[] {
  const { entry, newer, waiting } = gap;
  const { importBase, commands } = options;
  const item = `pages/${entry.title}`;
  if (waiting?.status === 'open') return waitingNotes(gap);
  if (waiting !== undefined && isMade(gap, options)) {
    const message = `${missingIn(gap)}, although change request ${waiting.number} had the content of the backup and is merged.`;
    return [{ code: 'content_merged', item, message, hint: commands.space(entry) }];
  }
  const stays =
    newer === 0 ? '' : ` ${counted(newer, 'page or file', 'pages and files')} that came since stay.`;
  if (importBase === undefined) return [];
  const message = `${missingIn(gap)}. They go into a change request, which is not merged.${stays}`;
  return [{ code: 'content', item, message }];
}

/** The change request that has the content of a space, if it is still open. */
function waitingNotes({ entry: { title }, spaceId, waiting }: ContentGap): PlanNote[] {
  if (waiting?.status !== 'open') return [];
  const { number } = waiting;
  const message = `Change request ${number} has the content of the backup; review and merge it.`;
  const hint = `docs change-requests get ${number} --space ${spaceId}`;
  return [{ code: 'content_waits', item: `pages/${title}`, message, hint }];
}

/** What came since is named, so that nobody takes the platform for the backup. */
function newerNotes(
  { desired, lock }: RestoredState,
  leaving: ReadonlySet<LiveItem>,
  { live, parts, only }: RestoreOptions,
): PlanNote[] {
  if (only !== undefined) return [];
  const { named } = match(desired, live, lock);
  return [...live.items].flatMap(([name, items]) => {
    const newer = items.filter((item) => !named.has(item) && !leaving.has(item));
    if (newer.length === 0 || !parts.has(partOf[name])) return [];
    const { one } = kindOf(name);
    const words = counted(newer.length, one, pluralOf(one));
    const message = `${words} are newer than the backup, or may be; nothing is removed.`;
    return [{ code: 'newer', item: name, message }];
  });
}

interface RestoredState {
  desired: Desired;
  /** Ties each item to the id that it has in the backup, where that is still there. Never written. */
  lock: Lock;
}

const place = { file: 'the backup', line: 1, column: 1, path: '' };

/** What a backup says, in the form in which files of the organization as code say it. */
class BackupItems {
  readonly #options: RestoreOptions;
  readonly #names: Names;
  /** Addresses of what can neither be found nor be made now. */
  readonly #lost: ReadonlySet<Address>;
  readonly #idNow: (id: string) => string;
  /** The default levels of spaces that can no longer inherit one. */
  readonly #inherited: ReadonlyMap<string, string>;

  constructor(options: RestoreOptions, lost: readonly LostSpace[]) {
    const { saved, live } = options;
    const names = new Names(saved, undefined, noFiles);
    this.#options = options;
    this.#names = names;
    this.#lost = new Set([...leftOutWith(saved, lost)].flatMap((item) => names.of(item) ?? []));
    this.#idNow = idsNow(lost);
    this.#inherited = inheritedLevels(saved, live, this.#idNow);
  }

  all(): RestoredState {
    const { saved, live } = this.#options;
    // By kind: the id of a member of a team is that of the person.
    const present = new Set([...live.items].flatMap(([kind, list]) => list.map(({ id }) => `${kind} ${id}`)));
    const desired = new Map<Address, DesiredItem>();
    const entries: Record<string, Lock['items'][string]> = {};
    for (const kind of kinds) {
      for (const item of saved.items.get(kind.name) ?? []) {
        const address = this.#names.of(item);
        if (address === undefined || this.#lost.has(address)) continue;
        desired.set(address, this.#itemOf(kind, item, address));
        const id = kind.name === 'spaces' ? this.#idNow(item.id) : item.id;
        if (present.has(`${kind.name} ${id}`)) entries[address] = { id, applied: {} };
      }
    }
    const lock: Lock = { version: 1, org: saved.organizationId, origin: '', items: entries };
    return { desired: { items: desired, scopes: [], guards: {} }, lock };
  }

  #itemOf(kind: Kind, item: LiveItem, address: Address): DesiredItem {
    const isExternal = !this.#isWanted(item);
    const own = keyIn(address);
    return {
      kind: kind.name,
      address,
      key: kind.scope === undefined ? own : own.slice(own.indexOf('/') + 1),
      parent: item.parent && this.#names.of(item.parent),
      index: this.#indexOf(item),
      fields: isExternal ? {} : this.#fieldsOf(kind, item),
      protected: false,
      external: isExternal,
      at: place,
      places: {},
    };
  }

  /** Whether an item is to be restored; what is not only gives others their names. */
  #isWanted({ kind, id }: LiveItem): boolean {
    const { parts, only } = this.#options;
    if (only !== undefined && (kind !== 'spaces' || !only.has(id))) return false;
    return parts.has(partOf[kind]) || (kind === 'spaces' && parts.has('fields'));
  }

  /** Where the backup does not have the order of the spaces of a collection, they stay in the one that they have. */
  #indexOf({ kind, id, index, parent }: LiveItem): number {
    const { live, ordered } = this.#options;
    const known = kind !== 'spaces' || parent === undefined || ordered.has(parent.id);
    const now = known ? index : (live.items.get('spaces')?.find((space) => space.id === id)?.index ?? -1);
    return now < 0 ? Number.MAX_SAFE_INTEGER : now;
  }

  /** What is not set in the backup is cleared where an operation can clear it. */
  #fieldsOf(kind: Kind, { id, fields: saved }: LiveItem): Record<string, unknown> {
    const { parts } = this.#options;
    const isSpace = kind.name === 'spaces';
    const fields: Record<string, unknown> = {};
    for (const field of kind.fields) {
      const { key } = field;
      const inherited = isSpace && key === 'default_level' ? this.#inherited.get(id) : undefined;
      const value = inherited ?? saved[key];
      if (value === undefined || (value === null && !canClear(field))) continue;
      if (field.oneWay !== undefined && value !== field.oneWay.to) continue;
      if (isSpace && !parts.has(key === 'fields' ? 'fields' : 'structure')) continue;
      if (!this.#namesLost(value)) fields[key] = this.#referring(value);
    }
    return fields;
  }

  #namesLost(value: unknown): boolean {
    const address = isReference(value) ? this.#names.ofId(value.kind, value.$id) : undefined;
    return address !== undefined && this.#lost.has(address);
  }

  /** A reference as one that names an item by its address. */
  #referring(value: unknown): unknown {
    if (!isReference(value)) return value;
    return { $ref: this.#names.ofId(value.kind, value.$id) ?? `${value.kind}/id:${value.$id}` };
  }
}

/** A JSON Schema has `$id`, too. */
function isReference(value: unknown): value is LiveReference {
  if (!isObject(value) || typeof value.$id !== 'string' || typeof value.kind !== 'string') return false;
  return Object.keys(value).length === 2;
}

function canClear(field: Field): boolean {
  return field.map !== true && field.setBy === undefined && allowsNull(field.schema);
}
