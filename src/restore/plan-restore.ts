import type { Client } from '../api/client.js';
import type { Kind } from '../organization/kind.js';
import { kindOf, kinds } from '../organization/kinds/index.js';
import { inPlural } from '../organization/kinds/table.js';
import { match } from '../organization/match.js';
import type { Live, LiveItem } from '../organization/model.js';
import { type PlanOptions, planOrganization } from '../organization/planner/plan.js';
import { counted } from '../output/counted.js';
import type { Draft } from '../plans/draft.js';
import { guardCode } from '../plans/guards.js';
import type { PlanNote } from '../plans/plan.js';
import type { SpaceEntry } from '../workflows/backup/folder/manifest.js';
import type { BackupReader } from '../workflows/backup/reader.js';
import { type ContentGap, contentDrafts, contentGap, packUrl, subjectOf } from './content.js';
import { type Wanted, wantedBy } from './desired.js';
import { lacksOf, type Part, partOf } from './kinds.js';
import {
  draftsForLost,
  findingsForLost,
  type LostSpace,
  leftOutWith,
  lostSpaces,
  notesForLost,
} from './lost-spaces.js';

/** What a restore would do, and what it would not. */

export interface RestoreOptions {
  reader: BackupReader;
  client: Client;
  /** What the backup shows, and what the platform shows. */
  saved: Live;
  live: Live;
  /** The collections whose order of spaces the backup has. */
  ordered: ReadonlySet<string>;
  parts: ReadonlySet<Part>;
  /** The spaces that were named; undefined for all. */
  only: ReadonlySet<string> | undefined;
  importBase: string | undefined;
  /** Whether a restore of a space from the trash was refused before. */
  wasRefused(id: string): boolean;
  planning: Pick<PlanOptions, 'self' | 'env'>;
  /** Commands that notes name. */
  commands: { again: string; pack(entry: SpaceEntry): string; space(entry: SpaceEntry): string };
}

export interface Restore {
  drafts: readonly Draft[];
  risks: readonly string[];
  notes: readonly PlanNote[];
  /** Addresses of the archives that are imported. */
  packs: readonly string[];
}

/** Sends nothing but reads. @throws DocsError as the reads; as `planOrganization` */
export async function planRestore(options: RestoreOptions): Promise<Restore> {
  const { client, saved, live, reader, parts, commands } = options;
  const lost = await lostSpaces(client, saved, live, options.wasRefused);
  const wanted = wantedOf(options, lost);
  const choices = { ...options.planning, prune: false, take: new Map<string, never>() };
  const own = planOrganization(wanted.desired, live, wanted.lock, choices, kindsFor(parts));
  const comesBack = parts.has('structure') || parts.has('pages');
  const back = comesBack ? lost.filter(({ saved: { id } }) => isNamed(options, id)) : [];
  // Findings come last, so those that are left out move no operation.
  const drafts = own.drafts.flatMap(restoring);
  drafts.push(...draftsForLost(back, saved.organizationId));
  const gaps = parts.has('pages') ? await gapsOf(options, lost) : [];
  for (const gap of gaps) drafts.push(...draftsFor(gap, options, drafts.length));
  drafts.push(...findingsForLost(back));
  const notes = [
    ...notesForLost(back, commands.again),
    ...gaps.flatMap((gap) => noteFor(gap, options)),
    ...newerNotes(wanted, options),
    ...lackNotes(reader, parts),
  ];
  return { drafts, risks: own.risks, notes, packs: packsOf(gaps, options) };
}

function isNamed({ only }: Pick<RestoreOptions, 'only'>, id: string): boolean {
  return only === undefined || only.has(id);
}

function wantedOf(options: RestoreOptions, lost: readonly LostSpace[]): Wanted {
  const { saved, live, parts, only } = options;
  const replaced = new Map(lost.flatMap(({ saved: { id }, now }) => (now === undefined ? [] : [[id, now]])));
  return wantedBy(saved, live, {
    leftOut: leftOutWith(saved, lost),
    isWanted({ kind, id }) {
      if (only !== undefined && (kind !== 'spaces' || !only.has(id))) return false;
      return parts.has(partOf[kind]) || (kind === 'spaces' && parts.has('fields'));
    },
    isWantedField: ({ kind }, field) =>
      kind !== 'spaces' || parts.has(field === 'fields' ? 'fields' : 'structure'),
    indexOf: indexIn(options),
    now: (kind, id) => (kind === 'spaces' ? (replaced.get(id) ?? id) : id),
  });
}

/** Where the backup does not have the order of the spaces of a collection, they stay in the one that they have. */
function indexIn({ live, ordered }: RestoreOptions): (item: LiveItem) => number {
  const now = new Map((live.items.get('spaces') ?? []).map(({ id, index }) => [id, index]));
  return ({ kind, id, index, parent }) => {
    const known = kind !== 'spaces' || parent === undefined || ordered.has(parent.id);
    const place = known ? index : (now.get(id) ?? -1);
    return place < 0 ? Number.MAX_SAFE_INTEGER : place;
  };
}

/** Without the structure, spaces stay where they are. */
function kindsFor(parts: ReadonlySet<Part>): readonly Kind[] {
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
  const { finding, lock, ...own } = draft;
  // `support/ada@acme.example`: where it stands is part of what people call it.
  const rest = lock === undefined ? own : { ...own, key: lock.item.slice(lock.item.indexOf('/') + 1) };
  if (finding === undefined) return [rest];
  // What is not to be restored only names others.
  if (finding.code === 'external') return [];
  const { code, message, hint } = finding;
  const what = code === 'create' && draft.kind === 'people' ? hint : hints[code];
  return [{ ...rest, finding: { code, message, ...(what !== undefined && { hint: what }) } }];
}

async function gapsOf(options: RestoreOptions, lost: readonly LostSpace[]): Promise<ContentGap[]> {
  const { client, reader, live } = options;
  const spaces = new Map((live.items.get('spaces') ?? []).map((space) => [space.id, space]));
  const instead = new Map(lost.map(({ saved: { id }, now }) => [id, now]));
  const gaps: ContentGap[] = [];
  for (const entry of reader.manifest.spaces) {
    if (!isNamed(options, entry.id) || entry.state === 'planned') continue;
    const space = spaces.get(instead.get(entry.id) ?? entry.id);
    if (space === undefined) continue;
    const now = { spaceId: space.id, revision: space.resource.revision };
    const gap = await contentGap(client, reader, entry, now);
    if (gap !== undefined) gaps.push(gap);
  }
  return gaps;
}

/** A merged one is made again only for a space that was named: texts may differ after an import. */
function isMade({ waiting }: ContentGap, { only }: RestoreOptions): boolean {
  return waiting?.status === 'open' || (waiting?.status === 'merged' && only === undefined);
}

function packsOf(gaps: readonly ContentGap[], options: RestoreOptions): string[] {
  const { importBase } = options;
  if (importBase === undefined) return [];
  return gaps.flatMap((gap) => (isMade(gap, options) ? [] : [packUrl(importBase, gap.entry)]));
}

function draftsFor(gap: ContentGap, options: RestoreOptions, first: number): Draft[] {
  const { importBase, reader, commands } = options;
  const { entry } = gap;
  if (isMade(gap, options)) return [];
  if (importBase === undefined) {
    const message = `${missingIn(gap)}, and not restored: the platform imports content from a URL only. Host the archive of the space, and restore it with --import-base <url>.`;
    const finding = { code: 'content_needs_url', message, hint: commands.pack(entry) };
    return [{ kind: 'pages', key: entry.title, action: 'finding', fields: {}, finding }];
  }
  return contentDrafts(gap, { url: packUrl(importBase, entry), subject: subjectOf(entry, reader), first });
}

function missingIn({ pages, files }: ContentGap): string {
  const parts = [counted(pages, 'page'), counted(files, 'file')].filter((words) => !words.startsWith('0 '));
  return `${parts.join(' and ')} of the backup ${pages + files === 1 ? 'is' : 'are'} missing or changed`;
}

function noteFor(gap: ContentGap, options: RestoreOptions): PlanNote[] {
  const { entry, newer, waiting } = gap;
  const { importBase, commands } = options;
  const item = `pages/${entry.title}`;
  if (waiting?.status === 'open') {
    const { number } = waiting;
    const message = `${missingIn(gap)}. Change request ${number} has the content of the backup and waits to be reviewed.`;
    const hint = `docs change-requests get ${number} --space ${gap.spaceId}`;
    return [{ code: 'content_waits', item, message, hint }];
  }
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

/** What came since is named, so that nobody takes the platform for the backup. */
function newerNotes({ desired, lock }: Wanted, { live, parts, only }: RestoreOptions): PlanNote[] {
  if (only !== undefined) return [];
  const { named } = match(desired, live, lock);
  return [...live.items].flatMap(([name, items]) => {
    const newer = items.filter((item) => !named.has(item));
    if (newer.length === 0 || !parts.has(partOf[name])) return [];
    const { one } = kindOf(name);
    const words = counted(newer.length, one, inPlural({ one }));
    const message = `${words} came since the backup, or cannot be told from it; nothing is removed.`;
    return [{ code: 'newer', item: name, message }];
  });
}

function lackNotes({ manifest }: BackupReader, parts: ReadonlySet<Part>): PlanNote[] {
  const kindsThere = new Set([
    ...manifest.files.map(({ kind }) => kind),
    ...(manifest.spaces.length > 0 ? ofSpaces : []),
  ]);
  return lacksOf(parts, kindsThere, manifest.counts).map(({ what, why, number }) => ({
    code: 'not-restored',
    item: what,
    message: number === undefined ? why : `${number} not restored: ${lowerFirst(why)}`,
  }));
}

/** Kinds of files that every space of a backup may have. */
const ofSpaces = ['space', 'fields', 'content', 'comments', 'change-request'];

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
