import type { Database } from '../store/database.js';
import { slugOf } from '../store/rows.js';
import type { Entry, PageNode } from './revisions.js';
import sample from './sample.json' with { type: 'json' };
import { type PageAttributes, putFile, putPage } from './versions.js';
import { contentTypeOf, dimensionsOf } from './view.js';

/** A generated page with its children. */
export interface WrittenPage {
  title: string;
  /** Default: derived from the title. */
  slug?: string;
  description?: string;
  attributes?: PageAttributes;
  /** Path of the cover image. */
  cover?: string;
  markdown: string;
  pages?: readonly WrittenPage[];
}

export interface WrittenFile {
  path: string;
  bytes: Uint8Array;
}

/** Sample content of a new space: a few pages that link to each other. */
export const samplePages: readonly WrittenPage[] = sample.pages;

export function sampleFiles(): WrittenFile[] {
  return sample.files.map(({ path, base64 }) => ({ path, bytes: Buffer.from(base64, 'base64') }));
}

export interface Writing {
  db: Database;
  spaceId: string;
  /** The id of the page or file at that path. */
  idOf(path: string): string;
  at: number;
}

/** Saves the pages' versions and returns their tree. Call within a write. */
export function writePages(writing: Writing, pages: readonly WrittenPage[], above = ''): PageNode[] {
  return pages.map((page) => {
    const path = above + (page.slug ?? slugOf(page.title, 'page'));
    const below = writePages(writing, page.pages ?? [], `${path}/`);
    return { ...writePage(writing, page, path), ...(below.length > 0 && { pages: below }) };
  });
}

export function writePage({ db, spaceId, idOf, at }: Writing, page: WrittenPage, path: string): Entry {
  const { title, description = '', cover, markdown } = page;
  const id = idOf(path);
  const shown = cover && { cover: { ref: { kind: 'file', file: idOf(cover) }, yPos: 0 } };
  const version = putPage(db, spaceId, {
    pageId: id,
    title,
    slug: path.slice(path.lastIndexOf('/') + 1),
    description,
    markdown,
    attributes: { ...page.attributes, ...shown },
    createdAt: at,
    updatedAt: at,
  });
  return { id, version };
}

/** Saves the files' versions. Call within a write. */
export function writeFiles({ db, spaceId, idOf }: Writing, files: readonly WrittenFile[]): Entry[] {
  return files.map(({ path, bytes }) => {
    const id = idOf(path);
    const media = { contentType: contentTypeOf(path), dimensions: dimensionsOf(bytes) };
    return { id, version: putFile(db, spaceId, { fileId: id, path, ...media, bytes }) };
  });
}
