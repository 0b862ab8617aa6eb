import type { PageAttributes } from '../versions.js';

/** A page as an import brings it, with those below it. */
export interface ImportedPage {
  title: string;
  slug: string;
  description?: string;
  attributes: PageAttributes;
  /** Undefined for a folder without a page of its own: a page that is there already stays as it is. */
  markdown: string | undefined;
  pages: ImportedPage[];
}

export interface ImportedFile {
  path: string;
  contentType: string;
  dimensions?: { width: number; height: number } | undefined;
  bytes: Uint8Array;
}

export interface ImportedReusable {
  title: string;
  path: string;
  markdown: string;
}

/** What a source holds, read and parsed. */
export interface Imported {
  pages: ImportedPage[];
  files: ImportedFile[];
  reusables: ImportedReusable[];
}

/** Titles are cut to so many characters. */
export const longestTitle = 200;
