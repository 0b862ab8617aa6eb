import type { Comment } from '../api/resources/comments.js';
import { asText, defined, groupBy, isObject } from '../base/values.js';
import { type StoredResource, storedFolders, storedLists } from '../model/stored.js';
import { valueAt } from '../output/fields.js';
import { allItems } from '../snapshot/unread.js';
import { type AccessLine, isAccessLine, permissionsIn } from './access.js';
import {
  changed,
  compareLists,
  diffItems,
  essenceOf,
  fieldsOf,
  fieldsOfFiles,
  hashesOf,
  type Listed,
  linesIn,
  wordsOf,
} from './diff.js';
import { type FileEntry, type SpaceEntry, spaceFolder } from './manifest.js';
import type { Named } from './names.js';
import { isOrder } from './organization.js';
import type { BackupReader, StoredFiles } from './reader.js';
import type { Difference, FieldChange } from './shapes.js';

/** Two backups, or a backup and the platform: what differs in each organization, and in each space. */

/** The organization of a backup: its files, and which spaces it has. */
export interface OrganizationBackup {
  top: StoredFiles;
  spaces: readonly Named[];
}

/**
 * Spaces that are gone, the differences of the organization, then those of each space. Spaces whose manifests are
 * equal are not read.
 * @throws DocsError configuration `bad_manifest`, `bad_list` if a backup is damaged
 */
export async function* diffBackups(a: BackupReader, b: BackupReader): AsyncGenerator<Difference> {
  const [before, after] = [a, b].map(({ manifest }) => new Map(manifest.spaces.map((one) => [one.id, one])));
  for (const [id, space] of before ?? [])
    if (!after?.has(id)) yield { change: 'removed', kind: 'space', ...called(space) };
  yield* diffOrganization(organizationIn(a), organizationIn(b));
  for (const [id, old] of before ?? []) {
    const now = after?.get(id);
    if (now !== undefined) yield* diffKnownSpace(a, old, b, now);
  }
  for (const [id, now] of after ?? [])
    if (!before?.has(id)) yield { change: 'added', kind: 'space', ...called(now) };
}

/** Of a whole backup. */
export function organizationIn({ top, manifest: { spaces } }: BackupReader): OrganizationBackup {
  return { top, spaces };
}

export function called({ id, title, folder }: SpaceEntry) {
  return { id, title, path: spaceFolder(folder) };
}

/** @throws DocsError configuration `bad_list` */
export async function* diffOrganization(
  a: OrganizationBackup,
  b: OrganizationBackup,
): AsyncGenerator<Difference> {
  const settings = ({ top }: OrganizationBackup) => top.only(top.all('organization'));
  const [before, after] = [settings(a), settings(b)];
  const { id = '', title } = after.entries[0] ?? before.entries[0] ?? {};
  const thing = { kind: 'organization', id, title, path: 'org.json' };
  yield* changed(thing, await fieldsOfFiles(before, after, 'organization'));
  for (const stored of storedLists)
    yield* compareLists(a.top, b.top, stored, (value) => listedItem(stored, value));
  for (const { name, folder } of storedFolders) yield* diffFolder(a.top, b.top, `${folder}/`, name);
  yield* diffAccess(a, b);
  yield* diffOrders(a, b, { id, title: title ?? id });
}

function diffFolder(
  a: StoredFiles,
  b: StoredFiles,
  folder: string,
  kind: string,
): AsyncGenerator<Difference> {
  const inFolder = ({ entries }: StoredFiles) =>
    groupBy(
      entries.filter(({ path }) => path.startsWith(folder)),
      idOf,
    );
  return diffItems(inFolder(a), inFolder(b), {
    kind,
    fields: (before, after) => fieldsOfFiles(a.only(before), b.only(after), kind),
  });
}

/** Files of one thing have its id. */
function idOf({ id, path }: FileEntry): string {
  return id ?? path;
}

function listedItem({ titles }: StoredResource, value: unknown): Listed {
  const { id, name } = value as Record<string, unknown>;
  const title = valueAt(value, titles[0]) ?? name;
  return {
    id: String(id ?? name),
    title: asText(title),
    value: essenceOf(value),
  };
}

/** A permission that differs; names are added later, for many at once. */
interface ChangedPermission {
  member: string;
  space: string;
  before: string | undefined;
  after: string | undefined;
}

/** Differences that are held until the names of their people are read. */
const batch = 500;

/**
 * The permissions that differ. Those of a person or in a space that only one side has follow from that difference.
 * If a side has no permissions, nothing is compared. @throws DocsError configuration `bad_list`
 */
export async function* diffAccess(a: OrganizationBackup, b: OrganizationBackup): AsyncGenerator<Difference> {
  if (!differ(a, b, 'access')) return;
  const known = new Set(a.spaces.map(({ id }) => id));
  const both = b.spaces.filter(({ id }) => known.has(id));
  const titles = new Map(both.map(({ id, title }) => [id, title]));
  yield* diffLines(accessLines(a.top), accessLines(b.top), titles, [b.top, a.top]);
}

/** Whether both have a list of a kind, and not the same. */
function differ(a: OrganizationBackup, b: OrganizationBackup, kind: string): boolean {
  const [before, after] = [a.top.find(kind), b.top.find(kind)];
  return before !== undefined && after !== undefined && before.sha256 !== after.sha256;
}

/**
 * The permissions that differ in some spaces, of the members that both sides have.
 * @param titles the spaces that are compared, by id
 * @param sides where the names of members are
 */
export async function* diffLines(
  before: AsyncGenerator<AccessLine>,
  after: AsyncGenerator<AccessLine>,
  titles: ReadonlyMap<string, string>,
  sides: readonly StoredFiles[],
): AsyncGenerator<Difference> {
  let held: ChangedPermission[] = [];
  for await (const [old, now] of paired(before, after)) {
    held.push(...changedIn(old, now, titles));
    if (held.length < batch) continue;
    yield* withNames(held, titles, sides);
    held = [];
  }
  yield* withNames(held, titles, sides);
}

export async function* accessLines(files: StoredFiles): AsyncGenerator<AccessLine> {
  for await (const line of linesIn(files, 'access')) if (isAccessLine(line)) yield line;
}

/**
 * The lines of each member that both lists have. People keep their order, so that only lines that moved are held,
 * and those of people whom the other list lacks.
 */
async function* paired(
  before: AsyncGenerator<AccessLine>,
  after: AsyncGenerator<AccessLine>,
): AsyncGenerator<[AccessLine, AccessLine]> {
  const [olds, nows] = [new Map<string, AccessLine>(), new Map<string, AccessLine>()];
  for (let more = true; more; ) {
    const [a, b] = [await before.next(), await after.next()];
    more = !a.done || !b.done;
    if (!a.done) olds.set(a.value.member, a.value);
    if (!b.done) nows.set(b.value.member, b.value);
    for (const member of [a, b].flatMap(({ done, value }) => (done ? [] : [value.member]))) {
      const [old, now] = [olds.get(member), nows.get(member)];
      if (old === undefined || now === undefined) continue;
      olds.delete(member);
      nows.delete(member);
      yield [old, now];
    }
  }
}

function changedIn(
  old: AccessLine,
  now: AccessLine,
  spaces: ReadonlyMap<string, string>,
): ChangedPermission[] {
  const [before, after] = [permissionsIn(old), permissionsIn(now)];
  const { member } = now;
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((space) => ({ member, space, before: before.get(space), after: after.get(space) }))
    .filter((one) => one.before !== one.after && spaces.has(one.space));
}

async function* withNames(
  changes: readonly ChangedPermission[],
  titles: ReadonlyMap<string, string>,
  sides: readonly StoredFiles[],
): AsyncGenerator<Difference> {
  const names = await memberNames(new Set(changes.map(({ member }) => member)), sides);
  for (const { member: id, space: spaceId, before, after } of changes) {
    const change = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    const fields: FieldChange[] = [defined({ field: 'permission', before, after })];
    const about = { id, title: names.get(id), space: titles.get(spaceId), spaceId };
    yield defined({ change, kind: 'access', ...about, detail: wordsOf(fields), fields } as const);
  }
}

/** What people are called, as far as the lists of members tell. */
async function memberNames(
  members: ReadonlySet<string>,
  sides: readonly StoredFiles[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const files of sides) {
    if (names.size === members.size) break;
    for await (const line of linesIn(files, 'members')) {
      const { id, user } = line as { id: string; user?: { displayName?: string; email?: string } };
      const name = user?.displayName || user?.email;
      if (name !== undefined && members.has(id) && !names.has(id)) names.set(id, name);
      if (names.size === members.size) break;
    }
  }
  return names;
}

interface Collection {
  id: string;
  title: string;
  parent?: string;
}

/** Ids of siblings by what they are in. */
type Orders = ReadonlyMap<string, readonly string[]>;

/**
 * Other orders of the spaces in a collection, and of collections in another or at the top. Only what both sides have
 * counts.
 * @param top the organization: the parent of collections at the top
 * @throws DocsError configuration `bad_list`
 */
export async function* diffOrders(
  a: OrganizationBackup,
  b: OrganizationBackup,
  top: Named,
): AsyncGenerator<Difference> {
  const collections = [await collectionsIn(a), await collectionsIn(b)] as const;
  const named = [top, ...collections.flat(), ...a.spaces, ...b.spaces];
  const titles = new Map(named.map(({ id, title }) => [id, title]));
  if (differ(a, b, 'orders')) yield* diffSiblings(await ordersIn(a), await ordersIn(b), titles);
  if (!differ(a, b, 'collections')) return;
  const [before, after] = [siblingsIn(collections[0], top.id), siblingsIn(collections[1], top.id)];
  yield* diffSiblings(before, after, titles);
}

async function collectionsIn({ top }: OrganizationBackup): Promise<Collection[]> {
  return (await allItems(linesIn(top, 'collections'))) as Collection[];
}

async function ordersIn({ top }: OrganizationBackup): Promise<Orders> {
  const found = new Map<string, readonly string[]>();
  for await (const line of linesIn(top, 'orders')) if (isOrder(line)) found.set(line.collection, line.items);
  return found;
}

/** The list of collections has siblings in their order. */
function siblingsIn(collections: readonly Collection[], top: string): Orders {
  const found = new Map<string, string[]>();
  for (const { id, parent = top } of collections) found.set(parent, [...(found.get(parent) ?? []), id]);
  return found;
}

function* diffSiblings(
  before: Orders,
  after: Orders,
  titles: ReadonlyMap<string, string>,
): Generator<Difference> {
  for (const [id, items] of after) {
    const [old, now] = [new Set(before.get(id)), new Set(items)];
    const [was, is] = [[...old].filter((one) => now.has(one)), [...now].filter((one) => old.has(one))];
    if (was.join() === is.join()) continue;
    const names = (ids: readonly string[]) => ids.map((one) => titles.get(one) ?? one);
    yield* changed({ kind: 'order', id, title: titles.get(id) }, [
      { field: 'order', before: names(was), after: names(is) },
    ]);
  }
}

export interface SpaceBackup {
  files: StoredFiles;
  space: Named;
}

/** The differences of a space that both backups have. Errors as `diffBackups`. */
export async function* diffKnownSpace(
  a: BackupReader,
  old: SpaceEntry,
  b: BackupReader,
  now: SpaceEntry,
): AsyncGenerator<Difference> {
  if (old.folder !== now.folder)
    yield { change: 'moved', kind: 'space', ...called(now), from: spaceFolder(old.folder) };
  if (old.sha256 !== undefined && old.sha256 === now.sha256) return;
  const [before, after] = await Promise.all([a.filesOf(old), b.filesOf(now)]);
  if (before !== undefined && after !== undefined)
    yield* diffSpace({ files: before, space: old }, { files: after, space: now });
}

/**
 * @param withRevision whether another revision of the space is a difference: if its pages are compared, they
 *   tell more
 * @throws DocsError configuration `bad_list`
 */
export async function* diffSpace(
  a: SpaceBackup,
  b: SpaceBackup,
  { withRevision = false } = {},
): AsyncGenerator<Difference> {
  const { id, title } = b.space;
  const [before, after] = [a.files.own, b.files.own];
  const fieldsOfKind = (kind: string) =>
    fieldsOfFiles(before.only(before.all(kind)), after.only(after.all(kind)), kind);
  const settings = await fieldsOfKind('space');
  const shown = settings.filter(({ field }) => withRevision || field !== 'revision');
  yield* changed({ kind: 'space', id, title }, shown);
  yield* changed({ kind: 'fields', id, title }, await fieldsOfKind('fields'));
  const within = [
    diffPlaced(before, after, 'page'),
    diffPlaced(before, after, 'file'),
    compareLists(before, after, { kind: 'comments', name: 'comment' }, listedComment),
    diffChangeRequests(a.files, b.files),
  ];
  for (const differences of within)
    for await (const difference of differences) yield { ...difference, space: title };
}

/** Pages or files by id, which may be moved, changed, or both; of a page, its JSON and its Markdown. */
async function* diffPlaced(a: StoredFiles, b: StoredFiles, kind: string): AsyncGenerator<Difference> {
  const isOfKind = (file: FileEntry) => file.kind === kind || file.kind === `${kind}-markdown`;
  const filesIn = ({ entries }: StoredFiles) => groupBy(entries.filter(isOfKind), idOf);
  const [before, after] = [filesIn(a), filesIn(b)];
  for (const [id, files] of before) {
    const now = after.get(id);
    if (now === undefined) {
      yield { change: 'removed', kind, id, ...placeOf(a, files) };
      continue;
    }
    const [old, text] = [textOf(files), textOf(now)];
    const moved = old?.path !== text?.path;
    const thing = { kind, id, ...placeOf(b, now) };
    if (moved) yield { change: 'moved', ...thing, from: `${a.at}${old?.path}` };
    if (hashesOf(files) === hashesOf(now)) continue;
    const fields =
      kind === 'page'
        ? await fieldsOfPage(a.only(files), b.only(now))
        : fieldsOf(bytesOf(old), bytesOf(text));
    // Where it is has been told.
    const others = fields.filter(({ field }) => !moved || !['path', 'slug'].includes(field));
    yield* changed(thing, others);
  }
  for (const [id, files] of after)
    if (!before.has(id)) yield { change: 'added', kind, id, ...placeOf(b, files) };
}

/** What differs in a page: its texts and fields; where these are the same, whether its document is another one. */
async function fieldsOfPage(a: StoredFiles, b: StoredFiles): Promise<FieldChange[]> {
  const fields = await fieldsOfFiles(a, b, 'page', (value, kind) => {
    if (kind !== 'page' || !isObject(value)) return value;
    const { document: _, markdown: __, git: ___, documentId: ____, ...rest } = value;
    return essenceOf(rest);
  });
  const named = fields.map((one) => (one.field === 'page-markdown' ? { ...one, field: 'markdown' } : one));
  if (named.length > 0) return named;
  return fieldsOfFiles(a, b, 'page', (value) =>
    isObject(value) ? { documentId: value.documentId } : undefined,
  );
}

function bytesOf(file: FileEntry | undefined) {
  return file && { bytes: file.bytes, sha256: file.sha256 };
}

function placeOf({ at }: StoredFiles, files: readonly FileEntry[]): { title?: string; path?: string } {
  const { title, path } = textOf(files) ?? {};
  return defined({ title, path: path && at + path });
}

/** Of a page the Markdown, else the file itself. */
function textOf(files: readonly FileEntry[]): FileEntry | undefined {
  return files.find(({ kind }) => kind === 'page-markdown') ?? files[0];
}

/** A comment is called by how it begins. */
function listedComment(value: unknown): Listed {
  const { comment } = value as { comment: Comment };
  const characters = [...(comment.body.markdown ?? '').replaceAll(/\s+/g, ' ')];
  const title = characters.length > 60 ? `${characters.slice(0, 59).join('')}…` : characters.join('');
  return { id: comment.id, title, value: discussion(value) };
}

/** A comment with its replies. Of the page only its id counts: the rest changes with the page. */
function discussion(value: unknown): unknown {
  const { comment, replies } = value as { comment: Comment; replies: unknown };
  const target = defined({ ...comment.target, page: comment.target.page?.id });
  return essenceOf({ ...comment, target, replies });
}

/** What it says is compared, and its revision: the pages that it keeps also change with the space. */
function diffChangeRequests(a: StoredFiles, b: StoredFiles): AsyncGenerator<Difference> {
  const says = ({ kind }: FileEntry) => kind === 'change-request' || kind === 'comments';
  const compared = (value: unknown, kind: string) =>
    kind === 'comments' && Array.isArray(value) ? value.map(discussion) : essenceOf(value);
  const requestsOf = ({ entries }: StoredFiles) =>
    groupBy(
      entries.filter(({ changeRequest }) => changeRequest !== undefined),
      ({ changeRequest = '' }) => changeRequest,
    );
  return diffItems(requestsOf(a), requestsOf(b), {
    kind: 'change-request',
    titleOf: (files) => files.find(({ kind }) => kind === 'change-request')?.title,
    fields: (before, after) =>
      fieldsOfFiles(a.only(before.filter(says)), b.only(after.filter(says)), 'change-request', compared),
  });
}

/** Differences for people: what is gone first, and permissions that follow from a new role as part of that. */

interface Folded {
  differences: Difference[];
  /** Permissions that are part of a role now. */
  followed: number;
  /** Where a role is the permission now, too, by the id of its member: `the same in 46 spaces: …`. */
  also: ReadonlyMap<string, string>;
}

/** Spaces that a role names; of more, only the number. */
const mostNamed = 3;

export function foldedForReading(all: readonly Difference[]): Folded {
  const roles = new Map(all.filter((one) => one.kind === 'member').flatMap(roleOf));
  const followers = new Map<string, Difference[]>();
  const rest = all.filter((one) => {
    if (one.kind !== 'access' || !isSame(roles.get(one.id), changeOf(one, 'permission'))) return true;
    followers.set(one.id, [...(followers.get(one.id) ?? []), one]);
    return false;
  });
  const also = new Map([...followers].map(([id, own]) => [id, alsoIn(own)]));
  const differences = rest.map((one) => {
    const where = one.kind === 'member' ? also.get(one.id) : undefined;
    return where === undefined ? one : { ...one, detail: `${one.detail}; ${where}` };
  });
  const isGone = ({ change }: Difference) => change === 'removed';
  return {
    differences: [...differences.filter(isGone), ...differences.filter((one) => !isGone(one))],
    followed: all.length - rest.length,
    also,
  };
}

type Change = { before: unknown; after: unknown } | undefined;

function changeOf({ fields = [] }: Difference, name: string): Change {
  const found = fields.find(({ field }) => field === name);
  return found && { before: found.before, after: found.after };
}

function roleOf(difference: Difference): [string, Change][] {
  const role = changeOf(difference, 'role');
  return role === undefined ? [] : [[difference.id, role]];
}

function isSame(role: Change, permission: Change): boolean {
  return role !== undefined && role.before === permission?.before && role.after === permission?.after;
}

/** `the same in 46 spaces: API, Guide, Welcome and 43 more`. */
function alsoIn(followers: readonly Difference[]): string {
  const names = followers.slice(0, mostNamed).map(({ space, spaceId }) => space ?? spaceId ?? '');
  const more = followers.length - names.length;
  const where = followers.length === 1 ? '1 space' : `${followers.length} spaces`;
  return `the same in ${where}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
