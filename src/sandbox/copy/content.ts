import type { ContentFile, ContentPage, Revision } from '../../api/resources/content.js';
import type { Document } from '../../api/shapes.js';
import { defined } from '../../base/values.js';
import {
  type Contents,
  type Entry,
  type PageNode,
  revisionOf,
  type StoredRevision,
} from '../content/revisions.js';
import {
  documentAt,
  type FileOverrides,
  type FileRow,
  fileByVersion,
  fileMark,
  hashOfFile,
  hashOfPage,
  hashOfReusable,
  markdownOf,
  nameOf,
  overridesOf,
  type PageAttributes,
  type PageOverrides,
  type PageRow,
  type PageVersion,
  pageAttributes,
  pageByVersion,
  put,
  toldColumn,
} from '../content/versions.js';
import {
  appOf,
  computedMarkdown,
  computedSeed,
  layoutOf,
  oidOf,
  ownRevision,
  pagePath,
} from '../content/view.js';
import { orgById, type SpaceRow, spaceById } from '../records/in-path.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { columnsOf, idFrom, slugOf } from '../store/rows.js';
import { msOf, tell, upsert } from './organization.js';

/** The text of a page as the platform answers it; files by their marks (`fileMark`). */
export interface PageText {
  /** With the title as a heading, as the platform writes it. */
  markdown: string;
  /** Without it, the structured text follows from the Markdown. */
  document?: Document | undefined;
}

/** Pages of a space being copied. */
interface CopiedPages {
  db: Database;
  space: SpaceRow;
  /** Its number, for addresses; undefined for the main content. */
  changeRequest: number | undefined;
  /** By page id; a page without one keeps the text that it has. */
  texts: ReadonlyMap<string, PageText>;
  /** Versions that were put beforehand, by page id. */
  put: ReadonlyMap<string, number>;
  /** Versions that are there, by page id. */
  known: ReadonlyMap<string, number>;
  /** For pages whose times were not told. */
  at: number;
}

/** Where a page is in its tree. */
interface PagePosition {
  /** The path of the page above; '' at the top. */
  above: string;
  hasPages: boolean;
}

/** Puts pages with those below them. Call within a write. */
function putPages(copied: CopiedPages, pages: readonly ContentPage[], above = ''): PageNode[] {
  return pages.map((page) => {
    const { pages: below = [] } = page;
    const place = { above, hasPages: below.length > 0 };
    const version = copied.put.get(page.id) ?? putCopiedPage(copied, page, place);
    if (below.length === 0) return { id: page.id, version };
    return { id: page.id, version, pages: putPages(copied, below, pathOf(page, above)) };
  });
}

/** Puts a version of a page, and returns its number. Call within a write. */
function putCopiedPage(copied: CopiedPages, page: ContentPage, place: PagePosition): number {
  const { db, texts, known } = copied;
  const text = texts.get(page.id);
  const old = known.get(page.id);
  if (text === undefined && old !== undefined) return withKnownText(copied, page, place, old);
  const attributes = attributesOf(page);
  const computed = computedMarkdown(db, attributes.computed);
  const { markdown, head } = readText(page.title, text?.markdown ?? `# ${page.title}`, computed);
  const version = versionOf(copied, page, place, attributes, markdown);
  const hash = hashOfPage(version);
  const told = toldOfPage(copied, page, { place, hash, head });
  const document = told.documentId === undefined && head === undefined ? undefined : text?.document;
  return putRow(copied, version, { hash, told, document: document && JSON.stringify(document) });
}

/** Whether a page is one of a sandbox with this very text, from which its structured text follows. */
export function isOwnText(db: Database, page: ContentPage, { markdown: told }: PageText): boolean {
  const attributes = attributesOf(page);
  const { markdown, head } = readText(page.title, told, computedMarkdown(db, attributes.computed));
  if (head !== undefined) return false;
  const version = { ...identityOf(page, ''), attributes, markdown, createdAt: 0, updatedAt: 0 };
  return hashOfPage(version) === page.documentId;
}

/** A page whose text was not told now: that of a version it had, with all else as told. */
function withKnownText(copied: CopiedPages, page: ContentPage, place: PagePosition, old: number): number {
  const { db } = copied;
  const row = pageByVersion(db, old);
  if (row === undefined || isSamePage(copied, row, page, place)) return old;
  const version = versionOf(copied, page, place, attributesOf(page), markdownOf(db, old));
  const { head } = overridesOf<PageOverrides>(row.told);
  const hash = hashOfPage(version);
  const told = toldOfPage(copied, page, { place, hash, head });
  return putRow(copied, version, { hash, told, document: documentAt(db, old) });
}

/** Whether a version shows all that was told of a page beside its text. Does not read the text. */
function isSamePage(copied: CopiedPages, row: PageRow, page: ContentPage, place: PagePosition): boolean {
  const version = versionOf(copied, page, place, attributesOf(page), '');
  const told = overridesOf<PageOverrides>(row.told);
  const documentId = told.documentId ?? row.hash;
  const oid = told.git === undefined ? oidOf(documentId) : told.git?.oid;
  return (
    page.documentId === documentId &&
    page.git?.oid === oid &&
    row.title === version.title &&
    row.slug === version.slug &&
    row.description === version.description &&
    row.attributes === JSON.stringify(version.attributes) &&
    row.updated_at === version.updatedAt
  );
}

function putRow(
  { db, space }: CopiedPages,
  page: PageVersion,
  { hash, told, document }: { hash: string; told: PageOverrides; document: string | undefined },
): number {
  // Its address differs in each change request; the version does not.
  const of = toldColumn({ ...told, app: undefined });
  return put(db, 'page_versions', {
    space_id: space.id,
    hash: hashWith(hash, of, page.updatedAt),
    ...columnsOf(page),
    told: toldColumn(told),
    document,
  });
}

function versionOf(
  { at }: CopiedPages,
  page: ContentPage,
  { above }: PagePosition,
  attributes: PageAttributes,
  markdown: string,
): PageVersion {
  const time = (told: string | undefined) => (told === undefined ? at : Date.parse(told));
  const [createdAt, updatedAt] = [time(page.createdAt), time(page.updatedAt)];
  return { ...identityOf(page, above), attributes, markdown, createdAt, updatedAt };
}

function identityOf(page: ContentPage, above: string) {
  const { id: pageId, title, description = '' } = page;
  const last = page.path?.slice(page.path.startsWith(`${above}/`) ? above.length + 1 : 0);
  const slug = page.slug ?? last ?? slugOf(title, 'page');
  return { pageId, title, slug, description };
}

/** In the order told. What follows from the rest of a layout is left out. */
function attributesOf(page: ContentPage): PageAttributes {
  const names: readonly string[] = pageAttributes;
  const told = Object.entries(page).filter(([name, value]) => names.includes(name) && value !== undefined);
  const layout = ownLayout(page);
  const isUsual = layout !== undefined && Object.keys(layout).length === 0 && told.at(-1)?.[0] === 'layout';
  const given = isUsual ? told.slice(0, -1) : told;
  const values = given.map(([name, value]) => [name, name === 'layout' ? (layout ?? value) : value]);
  return Object.fromEntries(values) as PageAttributes;
}

/** What a layout says beyond the usual; undefined if that would not give all of it. */
function ownLayout(page: ContentPage): object | undefined {
  const { layout } = page;
  if (layout === undefined) return undefined;
  const usual: Readonly<Record<string, unknown>> = layoutOf(page);
  const own = Object.fromEntries(Object.entries(layout).filter(([name, value]) => usual[name] !== value));
  return JSON.stringify({ ...usual, ...own }) === JSON.stringify(layout) ? own : undefined;
}

/** The path that a page is shown at. */
function pathOf(page: ContentPage, above: string): string {
  if (page.path !== undefined) return page.path;
  const { slug } = identityOf(page, above);
  return above === '' ? slug : `${above}/${slug}`;
}

function toldOfPage(
  { db, space, changeRequest }: CopiedPages,
  page: ContentPage,
  { place, hash, head }: { place: PagePosition; hash: string; head: string | undefined },
): PageOverrides {
  const { documentId = hash, git } = page;
  const { slug } = identityOf(page, place.above);
  const natural = place.above === '' ? slug : `${place.above}/${slug}`;
  const path = pathOf(page, place.above);
  const own = { oid: oidOf(documentId), path: pagePath(path, place.hasPages) };
  const app = appOf({ space, changeRequest }, path);
  const shown = page.urls?.app;
  return {
    ...(documentId !== hash && { documentId }),
    ...(path !== natural && { path }),
    ...toldGit(git, own),
    ...seedOf(db, page),
    ...(shown !== undefined && shown !== app && { app: { shown, of: app } }),
    ...(head !== undefined && { head }),
  };
}

/** Where it is in Git, unless that is where the sandbox has it. */
function toldGit(git: Location | undefined, own: Location): { git?: Location | null } {
  if (git?.oid === own.oid && git.path === own.path) return {};
  return { git: git === undefined ? null : { oid: git.oid, path: git.path } };
}

type Location = Pick<NonNullable<ContentPage['git']>, 'oid' | 'path'>;

/** What was told of a version tells it from one with the same content that the copy makes. */
function hashWith(hash: string, told: string | null, ...more: unknown[]): string {
  return told === null ? hash : idFrom(JSON.stringify([hash, told, ...more]));
}

function seedOf(db: Database, { computed, computedSeed: told }: ContentPage): Pick<PageOverrides, 'seed'> {
  const own = computed && computedSeed(db, computed);
  return own === told ? {} : { seed: { shown: told ?? null, of: own ?? null } };
}

/**
 * The text below the title, without what is computed.
 * @returns with `head`, and the text as it was told, if another text would come of it
 */
function readText(title: string, told: string, computed: string): { markdown: string; head?: string } {
  const heading = `# ${title}\n\n`;
  const markdown = withoutComputed(withoutHeading(told, heading), computed.trimEnd());
  const parts = [markdown, computed].filter(Boolean);
  if (markdown !== undefined && (heading + parts.join('\n\n')).trimEnd() === told) return { markdown };
  const head = told.startsWith(heading) ? heading : '';
  return { markdown: told.slice(head.length), head };
}

function withoutHeading(told: string, heading: string): string | undefined {
  if (told === heading.trimEnd()) return '';
  return told.startsWith(heading) ? told.slice(heading.length) : undefined;
}

function withoutComputed(text: string | undefined, computed: string): string | undefined {
  if (text === undefined || computed === '') return text;
  if (text === computed) return '';
  return text.endsWith(`\n\n${computed}`) ? text.slice(0, -computed.length - 2) : undefined;
}

/** A revision as the platform answers it; files of a backup have no URL. */
export type CopiedRevision = Omit<Revision, 'files'> & { files: readonly CopiedFile[] };

/** The content of a space or a change request, as the platform answers it. */
export interface CopiedContent {
  revision: CopiedRevision;
  /** By page id; a page without one keeps the text that the space has of it. */
  texts: ReadonlyMap<string, PageText>;
  /** By file id; a file without them keeps those that the space has of it, or is empty. */
  bytes: ReadonlyMap<string, Uint8Array>;
  /** What was put beforehand, for content that is too much to hold at once. */
  put?: PutBefore;
}

/** Numbers of versions by id. */
export interface PutBefore {
  pages: Map<string, number>;
  files: Map<string, number>;
}

/** A page with its place in the tree. */
export interface PagePlace extends PagePosition {
  page: ContentPage;
}

/** Whose content is put. */
export interface ContentOwner {
  spaceId: string;
  /** With its number, for addresses. */
  changeRequest?: { id: string; number: number; authorId: string | null };
}

/**
 * Makes content the current one of a space, which must be there. Putting it again changes nothing; newer content
 * takes its place. Call within a write.
 */
export function putContent(db: Database, spaceId: string, content: CopiedContent): void {
  putRevision(db, { spaceId }, content);
  db.run('UPDATE spaces SET revision_id = ? WHERE id = ?', content.revision.id, spaceId);
}

/** Puts some pages of a space before the rest; returns their versions by id. Call within a write. */
export function putSomePages(
  db: Database,
  { spaceId, changeRequest }: ContentOwner,
  pages: readonly PagePlace[],
  { texts, at }: Pick<CopiedContent, 'texts'> & { at: number },
): Map<string, number> {
  const space = found(spaceById(db, spaceId), 'space', spaceId);
  const copied = { db, space, changeRequest: changeRequest?.number, texts, at, put: none, known: none };
  return new Map(pages.map(({ page, ...place }) => [page.id, putCopiedPage(copied, page, place)]));
}

/** The pages of a tree with their places, each before those below it. */
export function placesOf(pages: readonly ContentPage[], above = ''): PagePlace[] {
  return pages.flatMap((page) => {
    const { pages: below = [] } = page;
    return [{ page, above, hasPages: below.length > 0 }, ...placesOf(below, pathOf(page, above))];
  });
}

/** Puts a revision of a space or change request with all it refers to. Call within a write. */
export function putRevision(db: Database, owner: ContentOwner, content: CopiedContent): void {
  const space = found(spaceById(db, owner.spaceId), 'space', owner.spaceId);
  const { revision } = content;
  const { changeRequest } = owner;
  putRevisionRow(db, {
    ...contentsOf(db, space, content, changeRequest?.number),
    id: revision.id,
    spaceId: space.id,
    changeRequestId: changeRequest?.id ?? null,
    parents: revision.parents,
    message: revision.git?.message ?? '',
    authorId: changeRequest?.authorId ?? null,
    createdAt: msOf(revision.createdAt),
  });
  tellRevision(db, space, revision, changeRequest?.number);
}

/** Writes the row of a revision, in place of one with the same id. */
export function putRevisionRow(db: Database, revision: Omit<StoredRevision, 'told'>, assumed = false): void {
  upsert(db, 'revisions', ['id'], { ...columnsOf(revision), assumed: assumed ? 1 : 0 });
}

function contentsOf(
  db: Database,
  space: SpaceRow,
  content: CopiedContent,
  changeRequest: number | undefined,
): Contents {
  const { revision, bytes, put } = content;
  const main = revisionOf(db, space, space.revision_id);
  const known = new Map(versionsOf(main.pages));
  const filesBefore = new Map([...versionsOf(main.files), ...(put?.files ?? [])]);
  const texts = markedTexts(content);
  const at = msOf(revision.createdAt);
  const copied: CopiedPages = { db, space, changeRequest, texts, put: put?.pages ?? none, known, at };
  return {
    pages: putPages(copied, revision.pages),
    files: revision.files.map((file) =>
      putCopiedFile(db, space.id, file, bytes.get(file.id), filesBefore.get(file.id)),
    ),
    reusables: (revision.reusableContents ?? []).map((one) => putCopiedReusable(db, space.id, one)),
  };
}

function versionsOf(nodes: readonly PageNode[] | readonly Entry[]): [id: string, version: number][] {
  return (nodes as readonly PageNode[]).flatMap(({ id, version, pages = [] }) => [
    [id, version],
    ...versionsOf(pages),
  ]);
}

/** Texts of a live platform have the URLs of its files, which expire. */
function markedTexts({ revision, texts }: CopiedContent): ReadonlyMap<string, PageText> {
  const marks = new Map(
    revision.files.flatMap(({ id, downloadURL }) =>
      downloadURL === undefined ? [] : [[bare(downloadURL), fileMark(id)] as const],
    ),
  );
  if (marks.size === 0) return texts;
  const marked = (text: string) =>
    text.replaceAll(/https?:\/\/[^\s"'<>)\]\\`]+/g, (url) => marks.get(bare(url)) ?? url);
  return new Map(
    [...texts].map(([id, { markdown, document }]) => [
      id,
      {
        markdown: marked(markdown),
        document: document && JSON.parse(marked(JSON.stringify(document))),
      },
    ]),
  );
}

function bare(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

const noSnapshot = {
  ...{ pages: [], pageById: new Map(), pageByPath: new Map() },
  ...{ files: [], fileById: new Map(), fileByPath: new Map(), reusables: [] },
};
const none: ReadonlyMap<string, number> = new Map();
const noReading = { origin: '', reading: {} };

/** Pages, files and reusable contents have records of their own, and sites give the published address. */
function tellRevision(
  db: Database,
  space: SpaceRow,
  revision: CopiedRevision,
  changeRequest: number | undefined,
): void {
  const own = () => {
    const org = found(orgById(db, space.org_id), 'organization', space.org_id);
    const caller = { userId: '', email: '', role: null, level: null };
    const snapshot = { ...noSnapshot, revision: revisionOf(db, space, revision.id) };
    const all = ownRevision({ db, org, caller, space, snapshot, changeRequest, ...noReading });
    const { app, published: _, ...others } = all.urls;
    const { published } = revision.urls;
    return { ...all, urls: defined({ app, published, ...others }) };
  };
  const lists = ['pages', 'files', 'reusableContents'];
  tell(db, { table: 'revisions', key: { id: revision.id } }, revision, own, lists);
}

/** A file as the platform answers it; a backup keeps no URL. */
export type CopiedFile = Omit<ContentFile, 'downloadURL'> & { downloadURL?: string };
type CopiedReusable = NonNullable<Revision['reusableContents']>[number];

/**
 * Puts a file of a space, and returns its entry. Call within a write.
 * @param bytes undefined if they could not be read: the file is then empty, in its told size
 * @param known the version that is there; kept if it is the same file
 */
export function putCopiedFile(
  db: Database,
  spaceId: string,
  file: CopiedFile,
  bytes: Uint8Array | undefined,
  known?: number,
): Entry {
  const { id, contentType, size } = file;
  const path = nameOf(file.git?.path ?? '') === '' ? file.name : (file.git?.path ?? file.name);
  const row = known === undefined ? undefined : fileByVersion(db, known);
  if (bytes === undefined && known !== undefined && row !== undefined && isSame(row, file, path))
    return { id, version: known };
  const base64 =
    bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  const hash = hashOfFile({ fileId: id, path, contentType }, base64);
  const told = toldColumn(toldOfFile(file, path, hash));
  const version = put(db, 'file_versions', {
    space_id: spaceId,
    hash: hashWith(hash, told),
    file_id: id,
    path,
    content_type: contentType,
    size,
    ...file.dimensions,
    base64,
    told,
  });
  return { id, version };
}

function isSame(row: FileRow, file: CopiedFile, path: string): boolean {
  const { git = { oid: oidOf(row.hash) } } = overridesOf<FileOverrides>(row.told);
  return row.path === path && row.size === file.size && git?.oid === file.git?.oid;
}

function toldOfFile({ name, git }: CopiedFile, path: string, hash: string): FileOverrides {
  return { ...(name !== nameOf(path) && { name }), ...toldGit(git, { oid: oidOf(hash), path }) };
}

/** Puts a reusable content, whose text the platform does not tell. Call within a write. */
function putCopiedReusable(db: Database, spaceId: string, reusable: CopiedReusable): Entry {
  const { id, title, document, git } = reusable;
  const path = git?.path ?? '';
  const own = { reusableId: id, title, path, markdown: '' };
  const hash = hashOfReusable(own);
  const column = toldColumn({
    ...(document !== hash && { document: document ?? null }),
    ...toldGit(git, { oid: oidOf(document ?? hash), path }),
  });
  const version = put(db, 'reusable_versions', {
    space_id: spaceId,
    hash: hashWith(hash, column),
    ...columnsOf(own),
    told: column,
  });
  return { id, version };
}
