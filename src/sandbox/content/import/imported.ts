import type { PageAttributes } from '../versions.js';

/** An imported page with its children. */
export interface ImportedPage {
  title: string;
  slug: string;
  description?: string;
  attributes: PageAttributes;
  /** Undefined for a folder without its own page; an existing page then stays unchanged. */
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

/** The parsed content of a source. */
export interface Imported {
  pages: ImportedPage[];
  files: ImportedFile[];
  reusables: ImportedReusable[];
}

/** Longer titles are cut, in characters. */
export const longestTitle = 200;
