import type { ContentPage } from '../../api/resources/content.js';
import type { Document } from '../../api/shapes.js';
import { computedMarkdown, computedSeed } from '../content/computed.js';
import type { PageNode } from '../content/revisions.js';
import { type ToldPage, toldColumn, toldOf } from '../content/told.js';
import {
  hashOfPage,
  markdownOf,
  type PageAttributes,
  type PageRow,
  type PageVersion,
  pageByVersion,
  put,
} from '../content/versions.js';
import { appOf, layoutOf, oidOf, pagePath } from '../content/view.js';
import type { SpaceRow } from '../records/space.js';
import type { Database } from '../store/database.js';
import { idFrom } from '../store/ids.js';
import { slugOf } from '../text.js';

/** The text of a page as the platform answers it; files by their marks (content/told.ts). */
export interface PageText {
  /** With the title as a heading, as the platform writes it. */
  markdown: string;
  /** Without it, the structured text follows from the Markdown. */
  document?: Document | undefined;
}

/** Pages of a space being copied. */
export interface CopiedPages {
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
export interface Place {
  /** The path of the page above; '' at the top. */
  above: string;
  hasPages: boolean;
}

const attributeNames = [
  'emoji',
  'icon',
  'layout',
  'cover',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'computed',
] as const;

/** Puts pages with those below them. Call within a write. */
export function putPages(copied: CopiedPages, pages: readonly ContentPage[], above = ''): PageNode[] {
  return pages.map((page) => {
    const { pages: below = [] } = page;
    const place = { above, hasPages: below.length > 0 };
    const version = copied.put.get(page.id) ?? putCopiedPage(copied, page, place);
    if (below.length === 0) return { id: page.id, version };
    return { id: page.id, version, pages: putPages(copied, below, pathOf(page, above)) };
  });
}

/** Puts a version of a page, and returns its number. Call within a write. */
export function putCopiedPage(copied: CopiedPages, page: ContentPage, place: Place): number {
  const { db, texts, known } = copied;
  const text = texts.get(page.id);
  const old = known.get(page.id);
  if (text === undefined && old !== undefined) return withKnownText(copied, page, place, old);
  const attributes = attributesOf(page);
  const computed = computedMarkdown(db, attributes.computed);
  const { markdown, head } = readText(page.title, text?.markdown ?? `# ${page.title}`, computed);
  const version = versionOf(copied, page, place, attributes, markdown);
  const hash = hashOfPage(version);
  const told = toldOfPage(copied, page, { place, hash, ...(head !== undefined && { head }) });
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
function withKnownText(copied: CopiedPages, page: ContentPage, place: Place, old: number): number {
  const { db } = copied;
  const row = pageByVersion(db, old);
  if (row === undefined || isSame(copied, row, page, place)) return old;
  const version = versionOf(copied, page, place, attributesOf(page), markdownOf(db, old));
  const { head } = toldOf<ToldPage>(row.told);
  const hash = hashOfPage(version);
  const told = toldOfPage(copied, page, { place, hash, ...(head !== undefined && { head }) });
  const sql = 'SELECT document FROM page_versions WHERE id = ?';
  const document = db.get<{ document: string | null }>(sql, old)?.document ?? undefined;
  return putRow(copied, version, { hash, told, document });
}

/** Whether a version shows all that was told of a page beside its text. Does not read the text. */
function isSame(copied: CopiedPages, row: PageRow, page: ContentPage, place: Place): boolean {
  const version = versionOf(copied, page, place, attributesOf(page), '');
  const told = toldOf<ToldPage>(row.told);
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
  { hash, told, document }: { hash: string; told: ToldPage; document: string | undefined },
): number {
  const of = withoutApp(told);
  return put(db, 'page_versions', {
    space_id: space.id,
    // What was told of it tells it from a version with the same text that the copy makes.
    hash: of === null ? hash : idFrom(JSON.stringify([hash, of, page.updatedAt])),
    page_id: page.pageId,
    title: page.title,
    slug: page.slug,
    description: page.description,
    attributes: JSON.stringify(page.attributes),
    created_at: page.createdAt,
    updated_at: page.updatedAt,
    markdown: page.markdown,
    told: toldColumn(told),
    document,
  });
}

/** Its address differs in each change request; the version does not. */
function withoutApp({ app: _, ...told }: ToldPage): string | null {
  return toldColumn(told);
}

function versionOf(
  { at }: CopiedPages,
  page: ContentPage,
  { above }: Place,
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
  const names = attributeNames as readonly string[];
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
export function pathOf(page: ContentPage, above: string): string {
  if (page.path !== undefined) return page.path;
  const { slug } = identityOf(page, above);
  return above === '' ? slug : `${above}/${slug}`;
}

function toldOfPage(
  { db, space, changeRequest }: CopiedPages,
  page: ContentPage,
  { place, hash, head }: { place: Place; hash: string; head?: string },
): ToldPage {
  const { documentId = hash, git } = page;
  const { slug } = identityOf(page, place.above);
  const natural = place.above === '' ? slug : `${place.above}/${slug}`;
  const path = pathOf(page, place.above);
  const own = { oid: oidOf(documentId), path: pagePath(path, place.hasPages) };
  const app = appOf({ space, changeRequest }, path);
  const shown = page.urls?.app;
  const isOwnGit = git?.oid === own.oid && git.path === own.path;
  return {
    ...(documentId !== hash && { documentId }),
    ...(path !== natural && { path }),
    ...(!isOwnGit && { git: git === undefined ? null : { oid: git.oid, path: git.path } }),
    ...seedOf(db, page),
    ...(shown !== undefined && shown !== app && { app: { shown, of: app } }),
    ...(head !== undefined && { head }),
  };
}

function seedOf(db: Database, { computed, computedSeed: told }: ContentPage): Pick<ToldPage, 'seed'> {
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
