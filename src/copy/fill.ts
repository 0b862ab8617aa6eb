import type { AdaptiveSchema } from '../api/resources/adaptive-schemas.js';
import type { Collection } from '../api/resources/collections.js';
import type { Member } from '../api/resources/members.js';
import type { OpenApiSpec, OpenApiVersion, OpenApiVersionContent } from '../api/resources/openapi.js';
import type { Organization } from '../api/resources/orgs.js';
import type { Site } from '../api/resources/sites.js';
import type { Space } from '../api/resources/spaces.js';
import { type Role, roles } from '../api/shapes.js';
import { type AccessLine, permissionsIn } from '../backup/access.js';
import { type FileEntry, failedLines, type SpaceEntry } from '../backup/manifest.js';
import type { BackupReader, StoredFiles } from '../backup/reader.js';
import { DocsError } from '../base/errors.js';
import { storedLists } from '../model/stored.js';
import {
  type FieldValueItem,
  putFieldValues,
  putMember,
  putMemberAccess,
  putOrganization,
  putSpec,
  putSpecContent,
  putSpecVersions,
  putTeamMember,
  type TeamMemberItem,
} from '../sandbox/copy/organization.js';
import {
  putAdaptiveSchema,
  putCollection,
  putOrder,
  putSite,
  putSiteTree,
  putSpace,
  type SiteTree,
} from '../sandbox/copy/spaces.js';
import type { Database } from '../sandbox/store/database.js';
import { idFrom } from '../sandbox/store/rows.js';
import { refillSlowly } from '../sandbox/store/store.js';
import { allItems } from '../snapshot/unread.js';
import { changedInBackup, fillSpaceContent, refusalsOf } from './fill-content.js';
import { stranger } from './platform.js';
import { writerOf } from './writers.js';

interface FillOptions {
  now(): number;
  /** Called as spaces are loaded. */
  progress?(done: number, total: number): void;
  signal: AbortSignal;
  /** What is recorded as the source of the data; default: the folder of the backup. */
  source?: string;
  /** Skip a database that another program has filled in the meantime. */
  onlyNew?: boolean;
}

/** What a backup became in a copy. */
export interface Filled {
  organization: { id: string; title: string };
  spaces: number;
  /** Parts that the copy could not take over, each a sentence. */
  gaps: string[];
}

/** How a database records that its data are those of a backup, or of an earlier run of it. */
export function backupSource(root: string, run?: number): string {
  return `backup:${run === undefined ? '' : `${run}@`}${root}`;
}

/** What `backupSource` names; undefined for other sources. Folders are absolute, so none begins with a number. */
export function backupOfSource(source: string): { folder: string; run?: number } | undefined {
  const [, run, folder] = /^backup:(?:(\d+)@)?(.*)$/s.exec(source) ?? [];
  if (folder === undefined) return undefined;
  return { folder, ...(run !== undefined && { run: Number(run) }) };
}

/**
 * Replaces all data of a database with a backup: the whole organization, or none of it. Every file is compared with
 * its hash as it is read, also those that nothing is taken from.
 *
 * One transaction spans all reads, so that a process killed at any moment leaves the database as it was; nobody else
 * may use the connection meanwhile. Files are read as streams, a space at a time, which takes a transaction that
 * waits: reading them at once, as `Database.write` does, would stop the process for as long, and interrupts with it.
 * @throws DocsError configuration `changed_in_backup`, `unfinished_backup`, `bad_manifest`; local-io
 *   `missing_in_backup`; the reason of the signal
 */
export async function fillFromBackup(
  db: Database,
  reader: BackupReader,
  options: FillOptions,
): Promise<Filled> {
  refuseUnfinished(reader);
  const { organization, spaces } = reader.manifest;
  const gaps = failedLines(reader.manifest.failed).map((words) => `Not in the backup: ${words}`);
  await refillSlowly(db, {
    source: options.source ?? backupSource(reader.root),
    nowMs: options.now(),
    ...(options.onlyNew !== undefined && { onlyNew: options.onlyNew }),
    fill: () => fill(db, reader.refusing(refusalsOf(reader)), options, gaps),
  });
  return { organization, spaces: spaces.length, gaps };
}

async function fill(
  db: Database,
  reader: BackupReader,
  { signal, progress = () => {} }: FillOptions,
  gaps: string[],
): Promise<void> {
  const { top } = reader;
  const { spaces, organization } = reader.manifest;
  const filling: Filling = { db, orgId: organization.id, top, gaps, signal };
  startIds(db, reader);
  const org = await top.json<Organization>(top.find('organization'));
  if (org?.id !== organization.id) throw changedInBackup(reader, 'org.json');
  putOrganization(db, org);
  await fillMembers(filling);
  await fillCollections(filling);
  await fillTeams(filling);
  for (const { name, kind } of storedLists)
    if (name !== 'member' && name !== 'collection') await putAll(filling, name, kind);
  await fillSpecs(filling);
  const loaded: StoredFiles[] = [];
  for (const [index, entry] of spaces.entries()) {
    signal.throwIfAborted();
    const own = await fillSpace(filling, reader, entry);
    if (own !== undefined) loaded.push(own);
    progress(index + 1, spaces.length);
  }
  await fillOrders(filling);
  await fillAccess(filling);
  await fillSites(filling);
  for (const own of loaded) await settleSpace(filling, own);
  await settlePeople(filling);
  await top.checkRest();
  signal.throwIfAborted();
}

/**
 * Ids are made from a name and a counter (sandbox/store/rows.ts). The name is that of this very backup: with the seed of the
 * first sandbox, or one name for all copies, a copy would make an id that the data has already.
 */
function startIds(db: Database, { manifest }: BackupReader): void {
  const name = `backup ${idFrom(JSON.stringify(manifest))}`;
  db.run("INSERT OR REPLACE INTO state (key, value) VALUES ('seed', ?), ('ids', 0)", name);
}

function refuseUnfinished({ manifest, root }: BackupReader): void {
  if (manifest.state !== 'unfinished') return;
  const message = `the last run of the backup in ${root} did not finish; nothing was changed`;
  throw new DocsError('configuration', 'unfinished_backup', message, {
    outcome: 'not-sent',
    hint: 'docs backup run --out <folder>',
  });
}

/** What the steps of filling a copy share. */
export interface Filling {
  readonly db: Database;
  readonly orgId: string;
  /** Files at the top of the backup. */
  readonly top: StoredFiles;
  /** Parts that the copy could not take over, each a sentence. */
  readonly gaps: string[];
  readonly signal: AbortSignal;
}

/** Members, and someone who can use the copy. */
async function fillMembers(filling: Filling): Promise<void> {
  const { db, orgId, gaps } = filling;
  await putAll(filling, 'member', 'members');
  const admins = "SELECT 1 FROM members WHERE org_id = ? AND role = 'admin' LIMIT 1";
  if (db.get(admins, orgId) !== undefined) return;
  putMember(db, orgId, standIn(orgId));
  gaps.push(
    'The backup has no administrator; the copy has one besides, "Sandbox administrator", so that it can be used.',
  );
}

/** Puts all of a resource: what a list has, or each file. */
async function putAll({ db, orgId, top, signal }: Filling, name: string, kind: string): Promise<void> {
  const write = writerOf(name);
  if (write === undefined) return;
  for (const entry of top.all(kind)) {
    const items = kind === name ? [await top.json(entry)] : top.items(entry);
    for await (const item of items) {
      write(db, orgId, item);
      signal.throwIfAborted();
    }
  }
}

/** Teams with their members. */
async function fillTeams(filling: Filling): Promise<void> {
  const { db, orgId, top, gaps } = filling;
  await putAll(filling, 'team', 'team');
  let strangers = 0;
  for (const entry of top.all('team-members')) {
    const { id = '' } = entry;
    for await (const item of top.items<TeamMemberItem>(entry))
      if (!putTeamMember(db, orgId, id, item)) strangers += 1;
  }
  if (strangers > 0) gaps.push(`Left out of teams: ${strangers} people who are not in the list of members.`);
}

/** Puts members and teams again, so that their counts are those of the backup. */
async function settlePeople(filling: Filling): Promise<void> {
  await putAll(filling, 'member', 'members');
  await putAll(filling, 'team', 'team');
  await putAll(filling, 'saml-provider', 'saml');
}

/** What each member can do in each space. Put the spaces first. */
async function fillAccess({ db, top, gaps, signal }: Filling): Promise<void> {
  const entry = top.find('access');
  if (entry === undefined) {
    gaps.push('The backup has no permissions of people in spaces; the copy has those that levels give.');
    return;
  }
  let higher = 0;
  for await (const line of top.items<AccessLine>(entry)) {
    higher += putMemberAccess(db, line.member, rolesIn(line));
    signal.throwIfAborted();
  }
  if (higher > 0)
    gaps.push(
      `${higher} permissions are higher in the copy than in the backup: levels of spaces and roles give more here.`,
    );
}

/** The permission by space; one that the sandbox does not know is none. */
function rolesIn(line: AccessLine): Map<string, Role> {
  const known = [...permissionsIn(line)].filter((one): one is [string, Role] =>
    (roles as readonly string[]).includes(one[1]),
  );
  return new Map(known);
}

function standIn(orgId: string): Member {
  const id = idFrom(`administrator of the copy of ${orgId}`);
  const called = { displayName: 'Sandbox administrator', email: 'admin@copy.invalid', urls: {} };
  return stranger(id, 'admin', new Date(0).toISOString(), called);
}

/**
 * Puts a space with all that the backup has of it.
 * @returns the file of the space itself, for `settleSpace`; undefined if no run has read it
 */
async function fillSpace(
  filling: Filling,
  reader: BackupReader,
  entry: SpaceEntry,
): Promise<StoredFiles | undefined> {
  const { db, orgId, gaps, signal } = filling;
  const files = await reader.filesOf(entry);
  const own = files?.find('space', entry.id);
  const space = await files?.json<Space>(own);
  if (files === undefined || own === undefined || space === undefined) {
    gaps.push(`Space ${entry.title} is not in the backup.`);
    return undefined;
  }
  const here = { ...space, organization: orgId };
  putSpace(db, here);
  const values = await files.json<FieldValueItem[]>(files.find('fields'));
  if (values !== undefined) putFieldValues(db, space.id, values);
  await fillSpaceContent({ db, files, signal }, here);
  await files.checkRest();
  return files.only([own]);
}

/** Puts a space again, so that its counts and its address are those of the backup. */
async function settleSpace({ db, orgId }: Filling, files: StoredFiles): Promise<void> {
  const space = await files.json<Space>(files.find('space'));
  if (space !== undefined) putSpace(db, { ...space, organization: orgId });
}

/** Collections, in their order: the list has each before its children. */
async function fillCollections({ db, orgId, top, gaps }: Filling): Promise<void> {
  let lost = 0;
  const ids = new Set<string>();
  for await (const collection of top.items<Collection>(top.find('collections'))) {
    const { id, parent } = collection;
    if (parent !== undefined && !ids.has(parent)) lost += 1;
    ids.add(id);
    putCollection(db, { ...collection, organization: orgId });
  }
  if (lost > 0) gaps.push(`At the top level, since their parent is not in the backup: ${lost} collections.`);
}

/** Specs, with their versions and the content of the latest. */
async function fillSpecs({ db, orgId, top }: Filling): Promise<void> {
  for (const entry of top.all('openapi-spec')) {
    const spec = await top.json<OpenApiSpec>(entry);
    if (spec === undefined) continue;
    putSpec(db, orgId, spec);
    const versions = await allItems(top.items<OpenApiVersion>(top.find('openapi-versions', spec.id)));
    putSpecVersions(db, spec.id, versions);
    const content = await top.json<OpenApiVersionContent>(top.find('openapi-content', spec.id));
    if (content !== undefined) putSpecContent(db, spec.id, content);
    putSpec(db, orgId, spec);
  }
}

/** The order of the spaces of each collection. Put the spaces first. */
async function fillOrders({ db, top, gaps }: Filling): Promise<void> {
  const entry = top.find('orders');
  if (entry === undefined && db.get('SELECT 1 FROM collections') !== undefined)
    gaps.push('The backup has no order of spaces in collections; the copy has them by their ids.');
  for await (const { collection, items } of top.items<{ collection: string; items: string[] }>(entry))
    putOrder(db, collection, items);
}

/** Sites with all they are made of. Put the spaces first. */
async function fillSites(filling: Filling): Promise<void> {
  for (const entry of filling.top.all('site')) {
    await fillSite(filling, entry);
    filling.signal.throwIfAborted();
  }
}

async function fillSite({ db, orgId, top, gaps }: Filling, entry: FileEntry): Promise<void> {
  const site = await top.json<Site>(entry);
  if (site === undefined) return;
  const { id, title } = site;
  putSite(db, orgId, site);
  const listOf = <T>(kind: string) => allItems(top.items<T>(top.find(kind, id)));
  const left = putSiteTree(db, id, {
    groups: await listOf<SiteTree['groups'][number]>('section-groups'),
    sections: await listOf<SiteTree['sections'][number]>('sections'),
    siteSpaces: await listOf<SiteTree['siteSpaces'][number]>('site-spaces'),
  });
  if (left.length > 0) {
    const titles = left.map((item) => item.title).join(', ');
    gaps.push(`Left out of site ${title}, since their space is not in the backup: ${titles}.`);
  }
  const schema = await top.json<AdaptiveSchema>(top.find('adaptive-schema', id));
  if (schema !== undefined) putAdaptiveSchema(db, id, schema);
  putSite(db, orgId, site);
}
