import { refusal } from '../../refusal.js';
import type { FileVersion, PageAttributes, ReusableVersion } from '../versions.js';

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

export interface Imported {
  pages: ImportedPage[];
  files: Omit<FileVersion, 'fileId'>[];
  reusables: Omit<ReusableVersion, 'reusableId'>[];
  /** Resources that were found and not read; default 0. */
  missed?: number;
}

/** Longer titles are cut, in characters. */
export const longestTitle = 200;

/** `getting-started` as a title: `Getting started`. */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The text of UTF-8 bytes, without a byte order mark. @throws 400 for bytes that are not UTF-8 */
export function decodeText(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal(400, `${JSON.stringify(name)} is not text in UTF-8.`);
  }
}
