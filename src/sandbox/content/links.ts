import type { listSpaceLinks } from '../../api/resources/spaces.js';
import { decodePercent } from '../../base/values.js';
import type { Answer } from '../handle.js';
import { appUrl } from '../records/fields.js';
import { type SpaceRow, spaceById } from '../records/in-path.js';
import type { Database } from '../store/database.js';
import { linkTargets } from './markdown.js';
import { type PlacedPage, type Snapshot, snapshotOf } from './revisions.js';
import { markdownOf, markedFile, type PageAttributes } from './versions.js';

type Link = Answer<typeof listSpaceLinks>['items'][number];

export type LinkTarget =
  | { kind: 'page'; page: string }
  | { kind: 'file'; file: string }
  /** Another space of the organization, or a page or file there. `written` stands for it to who cannot see it. */
  | { kind: 'abroad'; space: string; page?: string; file?: string; written: string }
  | { kind: 'url'; url: string };

/** The content that links are in. */
export interface LinkedContent {
  db: Database;
  space: SpaceRow;
  snapshot: Snapshot;
}

/** A target of one or more links, with the pages that link to it. */
export interface FoundLink {
  /** Identifies the target; unique among the links of a revision. */
  key: string;
  status: Link['status'];
  /** A page or file of the content by id, or an address; none for a file that is gone. */
  target: LinkTarget | undefined;
  /** Ids of pages, in the order of the revision. */
  from: string[];
}

type Target = Omit<FoundLink, 'from'>;

/**
 * The links of pages, one per target, sorted by key: those of `linkTargets`, and covers. `/pages/<id>` and
 * `/files/<id>` identify a page or file, `/spaces/<id>` a space of the organization, followed by one of the
 * others what is in it; other paths are relative to the page of the link. http and https URLs are always ok and
 * never fetched; those of the app are in-app. Excludes links within a page (`#…`) and other schemes (`mailto:`
 * …), and does not check anchors. The status does not depend on the reader.
 */
export function linksOf(content: LinkedContent, pages: Iterable<PlacedPage>): FoundLink[] {
  const links = new Map<string, FoundLink>();
  for (const placed of pages) {
    for (const target of targetsOf(content, placed)) {
      const known = links.get(target.key);
      if (known === undefined) links.set(target.key, { ...target, from: [placed.page.page_id] });
      else if (!known.from.includes(placed.page.page_id)) known.from.push(placed.page.page_id);
    }
  }
  return [...links.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

export function allLinks(content: LinkedContent): FoundLink[] {
  const { db, space, snapshot } = content;
  // Until any change: links depend on other spaces, too.
  return db.remember(`links ${space.id} ${snapshot.revision.id}`, () =>
    linksOf(content, snapshot.pageById.values()),
  );
}

function targetsOf(content: LinkedContent, placed: PlacedPage): Target[] {
  const { db, snapshot } = content;
  const { version, attributes } = placed.page;
  const { cover } = JSON.parse(attributes) as PageAttributes;
  const coverFile = cover?.ref.file;
  return [
    ...(coverFile === undefined ? [] : [fileTarget(snapshot, coverFile)]),
    ...linkTargets(markdownOf(db, version)).flatMap((target) => targetIn(content, placed, target) ?? []),
  ];
}

/** What a target as written on a page stands for; undefined for what is not a link to elsewhere. */
export function targetIn(content: LinkedContent, placed: PlacedPage, target: string): Target | undefined {
  const marked = markedFile(target);
  if (marked !== undefined) return fileTarget(content.snapshot, marked, target);
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return addressTarget(target);
  const { snapshot } = content;
  const written = target.split(/[?#]/, 1)[0] ?? '';
  const path = decodePercent(written);
  if (path === '') return undefined;
  const [, spaceId, thing] = /^\/spaces\/([\w-]+)(\/(?:pages|files)\/[\w-]+)?\/?$/.exec(written) ?? [];
  if (spaceId !== undefined && (spaceId !== content.space.id || thing === undefined))
    return spaceTarget(content, spaceId, thing, target);
  if (thing !== undefined) return targetIn(content, placed, thing);
  const [, kind, id] = /^\/(pages|files)\/([\w-]+)$/.exec(path) ?? [];
  if (id !== undefined) {
    return kind === 'pages' ? pageTarget(snapshot, id, target) : fileTarget(snapshot, id, target);
  }
  return pathTarget(snapshot, placed, path, target);
}

function addressTarget(address: string): Target | undefined {
  const url = address.startsWith('//') ? `https:${address}` : address;
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  const inApp = new URL(url).host === new URL(appUrl('')).host;
  return { key: `url ${url}`, status: inApp ? 'in-app' : 'ok', target: { kind: 'url', url } };
}

/**
 * A space of the same organization, or a page or file of its main content.
 * @param thing such as `/pages/<id>`; undefined for the space itself
 */
function spaceTarget(
  { db, space }: LinkedContent,
  spaceId: string,
  thing: string | undefined,
  written: string,
): Target {
  const key = `space ${spaceId}${thing ?? ''}`;
  const other = spaceById(db, spaceId);
  if (other === undefined || other.deleted_at !== null || other.org_id !== space.org_id)
    return broken(key, written);
  const target = { kind: 'abroad', space: spaceId, written } as const;
  if (thing === undefined) return { key, status: 'ok', target };
  const { pageById, fileById } = snapshotOf(db, other, other.revision_id);
  const [, kind, id = ''] = thing.split('/');
  if (!(kind === 'pages' ? pageById : fileById).has(id)) return broken(key, written);
  return { key, status: 'ok', target: { ...target, ...(kind === 'pages' ? { page: id } : { file: id }) } };
}

/** @param written the address in the text, which stands for a page that does not exist */
function pageTarget({ pageById }: Snapshot, id: string, written: string): Target {
  const key = `page ${id}`;
  return pageById.has(id) ? { key, status: 'ok', target: { kind: 'page', page: id } } : broken(key, written);
}

/** @param written as for pages; a cover has no address */
function fileTarget({ fileById }: Snapshot, id: string, written?: string): Target {
  const key = `file ${id}`;
  return fileById.has(id) ? { key, status: 'ok', target: { kind: 'file', file: id } } : broken(key, written);
}

/** What is not there has an address as its target, or none (platform-facts, "Shapes"). */
function broken(key: string, written: string | undefined): Target {
  const target = written === undefined ? undefined : ({ kind: 'url', url: written } as const);
  return { key, status: 'broken', target };
}

/**
 * Resolves a path to a page or file. A page with children counts as the README of a folder, another page as a
 * file beside its siblings. The source may have differed (`guides.md` beside `guides/`, or a README with its
 * images), so the other reading is tried second, unless it could match the page itself.
 */
function pathTarget(snapshot: Snapshot, placed: PlacedPage, path: string, written: string): Target {
  const within = placed.path.split('/');
  const beside = within.slice(0, -1);
  const bases = path.startsWith('/') ? [[]] : placed.pages.length > 0 ? [within, beside] : [beside];
  if (placed.pages.length === 0 && !path.startsWith('/') && !path.startsWith('..')) bases.push(within);
  const paths = bases.map((base) => join(base, path));
  for (const candidate of paths) {
    const page = snapshot.pageByPath.get(pagePath(candidate));
    if (page !== undefined) return pageTarget(snapshot, page.page.page_id, written);
    const file = snapshot.fileByPath.get(candidate);
    if (file !== undefined) return fileTarget(snapshot, file.file_id, written);
  }
  const [missing = path] = paths;
  const kind = /\.(?!md$|markdown$|html?$)[a-z0-9]{1,5}$/i.test(missing) ? 'file' : 'page';
  return broken(`${kind} at ${missing}`, written);
}

function join(base: readonly string[], path: string): string {
  const parts = [...base];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function pagePath(path: string): string {
  return path.replace(/\.(?:md|markdown|html?)$/i, '').replace(/(?:^|\/)(?:readme|index)$/i, '');
}
