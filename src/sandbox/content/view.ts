import type { ContentFile, ContentPage, Revision } from '../../api/resources/content.js';
import { nodeCrypto } from '../../base/hash.js';
import { defined, isObject } from '../../base/values.js';
import { appUrl, withTold } from '../records/fields.js';
import type { OrgRow } from '../records/in-path.js';
import { type SpaceRow, spaceById } from '../records/in-path.js';
import { publishedUrlOfSpace } from '../records/published.js';
import { publicUrl } from '../records/space.js';
import type { Caller } from '../scope.js';
import { type Download, openKey, sealKey } from '../server/tokens.js';
import type { Database } from '../store/database.js';
import { iso } from '../store/rows.js';
import type { PlacedPage, Snapshot, StoredRevision } from './revisions.js';
import {
  type FileOverrides,
  type FileRow,
  fileByVersion,
  markdownOf,
  nameOf,
  overridesOf,
  type PageAttributes,
  type PageOverrides,
  type PageRow,
  type ReusableOverrides,
  type ReusableRow,
} from './versions.js';

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webm: 'video/webm',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

export function contentTypeOf(name: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(types, ending) ? types[ending] : undefined) ?? 'application/octet-stream';
}

/** Width and height in pixels of a PNG, GIF or JPEG; undefined for anything else. */
export function dimensionsOf(bytes: Uint8Array): { width: number; height: number } | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length >= 24 && data.readUInt32BE(0) === 0x89504e47) {
    return { width: data.readUInt32BE(16), height: data.readUInt32BE(20) };
  }
  if (data.length >= 10 && /^GIF8[79]a/.test(data.toString('latin1', 0, 6))) {
    return { width: data.readUInt16LE(6), height: data.readUInt16LE(8) };
  }
  return data.length >= 4 && data.readUInt16BE(0) === 0xffd8 ? jpegDimensions(data) : undefined;
}

/** Skips segments until the start of a frame, which contains the dimensions. */
function jpegDimensions(data: Buffer): { width: number; height: number } | undefined {
  for (let at = 2; at + 9 <= data.length && data[at] === 0xff; ) {
    const marker = data[at + 1] ?? 0;
    const startsFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (startsFrame) return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) };
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}

export const fileDownload: Download = {
  path: '/files/{key}/{name}',
  serve(db, { key = '' }) {
    const [spaceId = '', version] = openKey(db, 'file', key) ?? [];
    const space = spaceById(db, spaceId);
    if (space === undefined || space.deleted_at !== null) return undefined;
    const file = fileByVersion(db, Number(version));
    const sql = 'SELECT base64 FROM file_versions WHERE id = ? AND space_id = ?';
    const body = db.get<{ base64: string }>(sql, Number(version), spaceId);
    if (file === undefined || body === undefined) return undefined;
    const bytes = Buffer.from(body.base64, 'base64');
    const charset = file.content_type.startsWith('text/') ? '; charset=utf-8' : '';
    return { bytes, contentType: file.content_type + charset, name: nameOf(file.path) };
  },
};

/** The URL of the bytes of a file, at this sandbox. */
export function fileUrl(db: Database, spaceId: string, origin: string, { version, path }: FileRow): string {
  const key = sealKey(db, 'file', [spaceId, String(version)]);
  return `${origin}/files/${key}/${encoded(nameOf(path))}`;
}

/** Also of what ends an address in a text: quotes and brackets. */
function encoded(name: string): string {
  const code = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replaceAll(/['()]/g, code);
}

/** Says that a page is generated from an OpenAPI spec when it is read: type `builtin:openapi`. */
type Computed = PageAttributes['computed'];

interface SpecVersion {
  id: string;
  document: string;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The source of a computed page: the id of the spec's latest version; undefined if there is none. */
export function computedSeed(db: Database, computed: Computed): string | undefined {
  return latestVersion(db, computed)?.id;
}

/** The text of a page, followed by its computed part unless excluded, or told as one with it. */
export function textOf(db: Database, { version, attributes, told }: PageRow, computed = true): string {
  if (overridesOf<PageOverrides>(told).head !== undefined) return markdownOf(db, version);
  const definition = (JSON.parse(attributes) as PageAttributes).computed;
  const parts = [markdownOf(db, version), computed ? computedMarkdown(db, definition) : ''];
  return parts.filter(Boolean).join('\n\n');
}

/** The operations of the spec; '' for other pages. */
export function computedMarkdown(db: Database, computed: Computed): string {
  const version = latestVersion(db, computed);
  if (version === undefined) return '';
  const document = JSON.parse(version.document) as { info?: { title?: unknown }; paths?: unknown };
  const title = typeof document.info?.title === 'string' ? document.info.title : 'API';
  return [`## ${title}`, ...operationsOf(document.paths), ''].join('\n\n');
}

function operationsOf(paths: unknown): string[] {
  return entriesOf(paths).flatMap(([path, item]) =>
    entriesOf(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => {
        const summary = entriesOf(operation).find(([key]) => key === 'summary')?.[1];
        return `### ${method.toUpperCase()} ${path}${typeof summary === 'string' ? `\n\n${summary}` : ''}`;
      }),
  );
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

function latestVersion(db: Database, computed: Computed): SpecVersion | undefined {
  const specId = computed?.dependencies?.spec?.ref.spec;
  if (computed?.type !== 'builtin:openapi' || specId === undefined) return undefined;
  const sql = 'SELECT id, document FROM openapi_versions WHERE spec_id = ? ORDER BY number DESC LIMIT 1';
  return db.remember(`computed ${specId}`, () => db.get<SpecVersion>(sql, specId));
}

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
  const told = overridesOf<ReusableOverrides>(row.told);
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
  const told = overridesOf<PageOverrides>(page.told);
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

function shownSeed({ db }: ContentView, { computed }: PageAttributes, { seed }: PageOverrides) {
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
  const told = overridesOf<FileOverrides>(file.told);
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
  return nodeCrypto().createHash('sha1').update(hash).digest('hex');
}
