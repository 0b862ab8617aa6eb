import { createHash } from 'node:crypto';
import type { ContentFile, ContentPage, Revision } from '../../api/resources/content.js';
import { defined } from '../../base/values.js';
import { appUrl } from '../records/fields.js';
import type { OrgRow } from '../records/org.js';
import { publishedUrlOfSpace } from '../records/site-structure.js';
import { publicUrl, type SpaceRow } from '../records/space.js';
import { withTold } from '../records/told.js';
import type { Caller } from '../scope.js';
import { iso } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { computedSeed } from './computed.js';
import { fileUrl } from './files.js';
import type { StoredRevision } from './revisions.js';
import type { PlacedPage, Snapshot } from './snapshot.js';
import { type ToldFile, type ToldPage, type ToldReusable, toldOf } from './told.js';
import { type FileRow, nameOf, type PageAttributes, type ReusableRow } from './versions.js';

/** The parameters of all reads of content (spec B, "Endpoints"). */
export interface Reading {
  /** False omits the Git metadata. */
  metadata?: boolean;
  /** False omits computed content. */
  computed?: boolean;
}

export interface ContentView {
  db: Database;
  org: OrgRow;
  caller: Caller;
  space: SpaceRow;
  snapshot: Snapshot;
  /** Number of the change request; undefined for the main content. */
  changeRequest?: number | undefined;
  origin: string;
  reading: Reading;
}

/** A revision as the platform answers it (spec B, "Revision"). */
export function toRevision(view: ContentView): Revision {
  return withTold(ownRevision(view), view.snapshot.revision.told);
}

/** A revision without what was told of it. */
export function ownRevision(view: ContentView): Revision {
  const { revision, reusables, pages, files } = view.snapshot;
  return {
    object: 'revision',
    id: revision.id,
    parents: revision.parents,
    pages: pages.map((placed) => toPage(view, placed)),
    files: files.map((file) => toFile(view, file)),
    reusableContents: reusables.map((reusable) => toReusable(view, reusable)),
    createdAt: iso(revision.createdAt),
    ...(view.reading.metadata !== false && { git: revisionGit(view, revision) }),
    urls: { app: appOf(view, ''), ...readersUrls(view) },
    type: 'edits',
  };
}

function revisionGit({ space, changeRequest }: ContentView, { id, message }: StoredRevision) {
  const oid = oidOf(id);
  const ref = changeRequest === undefined ? 'main' : `change-request-${changeRequest}`;
  return { oid, message, createdByService: true, ref, ...defined({ url: commitUrl(space, oid) }) };
}

function toReusable({ reading }: ContentView, row: ReusableRow) {
  const told = toldOf<ToldReusable>(row.told);
  const document = told.document === undefined ? row.hash : told.document;
  return {
    ...{ id: row.reusable_id, title: row.title },
    ...(document !== null && { document }),
    ...git(reading, document ?? row.hash, row.path, told.git),
  };
}

/** Where readers find the main content; a change request is for editors alone. */
function readersUrls({ db, org, space, changeRequest }: ContentView): Revision['urls'] {
  if (changeRequest !== undefined) return {};
  const published = publishedUrlOfSpace({ db, org, shareKey: undefined }, space.id);
  return defined({ published, public: publicUrl(space) });
}

/** The commit in the repository that the space is synchronized with, if it is. */
function commitUrl({ git_sync: sync }: SpaceRow, oid: string): string | undefined {
  const { url } = sync === null ? {} : (JSON.parse(sync) as { url?: string });
  return url === undefined ? undefined : `${url}/commit/${oid}`;
}

/** A page with its children, without its text (spec B, "Page"). */
export function toPage(view: ContentView, { page, path, pages }: PlacedPage): ContentPage {
  const { reading } = view;
  const attributes = JSON.parse(page.attributes) as PageAttributes;
  const told = toldOf<ToldPage>(page.told);
  const seed = reading.computed === false ? undefined : shownSeed(view, attributes, told);
  const documentId = told.documentId ?? page.hash;
  const app = appOf(view, path);
  return {
    id: page.page_id,
    title: page.title,
    ...attributes,
    layout: wholeLayout(attributes),
    createdAt: iso(page.created_at),
    updatedAt: iso(page.updated_at),
    type: 'document',
    urls: { app: told.app?.of === app ? told.app.shown : app },
    slug: page.slug,
    path,
    ...(page.description !== '' && { description: page.description }),
    documentId,
    pages: pages.map((placed) => toPage(view, placed)),
    ...git(reading, documentId, pagePath(path, pages.length > 0), told.git),
    ...defined({ computedSeed: seed }),
  };
}

const shown = {
  cover: true,
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
};

/** The path of a page in a Git repository. */
export function pagePath(path: string, hasPages: boolean): string {
  return hasPages ? `${path}/README.md` : `${path}.md`;
}

function shownSeed({ db }: ContentView, { computed }: PageAttributes, { seed }: ToldPage) {
  const own = computed && computedSeed(db, computed);
  return seed !== undefined && seed.of === (own ?? null) ? (seed.shown ?? undefined) : own;
}

/** Keeps the order of a layout that says everything. */
function wholeLayout(attributes: PageAttributes): NonNullable<ContentPage['layout']> {
  const { layout = {} } = attributes;
  const usual = layoutOf(attributes);
  return Object.keys(usual).every((key) => key in layout) ? layout : { ...usual, ...layout };
}

/** The layout of a page that says nothing of its own. */
export function layoutOf({ cover }: Pick<PageAttributes, 'cover'>): NonNullable<ContentPage['layout']> {
  return { ...shown, coverSize: cover === undefined ? 'full' : 'hero' };
}

/** A file with the URL of its bytes (spec B, "File"). */
export function toFile({ db, space, origin, reading }: ContentView, file: FileRow): ContentFile {
  const { width, height } = file;
  const told = toldOf<ToldFile>(file.told);
  return {
    id: file.file_id,
    name: told.name ?? nameOf(file.path),
    contentType: file.content_type,
    downloadURL: fileUrl(db, space.id, origin, file),
    size: file.size,
    ...(width !== null && height !== null && { dimensions: { width, height } }),
    ...git(reading, file.hash, file.path, told.git),
  };
}

/** The app URL of a page or section; '' is the space itself. */
export function appOf(view: Pick<ContentView, 'space' | 'changeRequest'>, path: string): string {
  const { space, changeRequest } = view;
  const change = changeRequest === undefined ? '' : `/~/changes/${changeRequest}`;
  return appUrl(`/o/${space.org_id}/s/${space.id}${change}${path === '' ? '' : `/${path}`}`);
}

/** @param told as the version was told; null: without any */
function git(
  { metadata }: Reading,
  hash: string,
  path: string,
  told: { oid: string; path: string } | null | undefined,
) {
  if (metadata === false || told === null) return {};
  return { git: told ?? { oid: oidOf(hash), path } };
}

/** A string like a Git object id: 40 hexadecimal digits. */
export function oidOf(hash: string): string {
  return createHash('sha1').update(hash).digest('hex');
}
