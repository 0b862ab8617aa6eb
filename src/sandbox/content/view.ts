import { createHash } from 'node:crypto';
import type { ContentFile, ContentPage, Revision } from '../../api/resources/revisions.js';
import { defined } from '../../defined.js';
import type { OrgRow } from '../records/org.js';
import { publishedUrlOfSpace } from '../records/site-structure.js';
import { publicUrl, type SpaceRow } from '../records/space.js';
import { appUrl } from '../records/urls.js';
import type { Caller } from '../scope.js';
import { iso } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { computedSeed } from './computed.js';
import { fileUrl } from './file-download.js';
import type { PlacedPage, Snapshot } from './snapshot.js';
import { type FileRow, nameOf, type PageAttributes } from './versions.js';

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
  const { revision, reusables, pages, files } = view.snapshot;
  const branch = view.changeRequest === undefined ? 'main' : `change-request-${view.changeRequest}`;
  return {
    object: 'revision',
    id: revision.id,
    parents: revision.parents,
    pages: pages.map((placed) => toPage(view, placed)),
    files: files.map((file) => toFile(view, file)),
    reusableContents: reusables.map(({ reusable_id: id, title, hash, path }) => ({
      id,
      title,
      document: hash,
      ...git(view.reading, hash, path),
    })),
    createdAt: iso(revision.createdAt),
    ...(view.reading.metadata !== false && {
      git: {
        ...{ oid: oidOf(revision.id), message: revision.message, createdByService: true, ref: branch },
        ...defined({ url: commitUrl(view.space, oidOf(revision.id)) }),
      },
    }),
    urls: { app: appOf(view, ''), ...readersUrls(view) },
    type: 'edits',
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
  const seed = reading.computed === false ? undefined : computedSeed(view.db, attributes.computed);
  return {
    id: page.page_id,
    title: page.title,
    ...attributes,
    layout: { ...layoutOf(attributes), ...attributes.layout },
    createdAt: iso(page.created_at),
    updatedAt: iso(page.updated_at),
    type: 'document',
    urls: { app: appOf(view, path) },
    slug: page.slug,
    path,
    ...(page.description !== '' && { description: page.description }),
    documentId: page.hash,
    pages: pages.map((placed) => toPage(view, placed)),
    ...git(reading, page.hash, pages.length > 0 ? `${path}/README.md` : `${path}.md`),
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

/** The layout of a page that says nothing of its own. */
function layoutOf({ cover }: PageAttributes): NonNullable<ContentPage['layout']> {
  return { ...shown, coverSize: cover === undefined ? 'full' : 'hero' };
}

/** A file with the URL of its bytes (spec B, "File"). */
export function toFile({ db, space, origin, reading }: ContentView, file: FileRow): ContentFile {
  const { width, height } = file;
  return {
    id: file.file_id,
    name: nameOf(file.path),
    contentType: file.content_type,
    downloadURL: fileUrl(db, space.id, origin, file),
    size: file.size,
    ...(width !== null && height !== null && { dimensions: { width, height } }),
    ...git(reading, file.hash, file.path),
  };
}

/** The app URL of a page or section; '' is the space itself. */
export function appOf(view: Pick<ContentView, 'space' | 'changeRequest'>, path: string): string {
  const { space, changeRequest } = view;
  const change = changeRequest === undefined ? '' : `/~/changes/${changeRequest}`;
  return appUrl(`/o/${space.org_id}/s/${space.id}${change}${path === '' ? '' : `/${path}`}`);
}

function git({ metadata }: Reading, hash: string, path: string) {
  return metadata === false ? {} : { git: { oid: oidOf(hash), path } };
}

/** A string like a Git object id: 40 hexadecimal digits. */
function oidOf(hash: string): string {
  return createHash('sha1').update(hash).digest('hex');
}
