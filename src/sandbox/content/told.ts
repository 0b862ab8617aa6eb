/**
 * What a copy of another organization was told of a version of a page or file, and would answer otherwise by
 * itself: the column `told` is JSON of these, or null. Only the fields that differ are in it. Other resources
 * have records/told.ts; a version needs one of its own, since several revisions share it, in other places.
 */

/** Location in a Git repository; null where none was told. */
type ToldGit = { oid: string; path: string } | null;

export interface ToldPage {
  documentId?: string;
  git?: ToldGit;
  /** In place of the path that the slugs from the top make. */
  path?: string;
  /** The seed shown while `of` is what the sandbox computes from; null: nothing. */
  seed?: { shown: string | null; of: string | null };
  /** The address in the app shown where the sandbox has `of`. */
  app?: { shown: string; of: string };
  /**
   * What stands before the text, instead of the title as a heading. The text then is as it was told, to its
   * last character, and its computed part is in it.
   */
  head?: string;
}

export interface ToldFile {
  name?: string;
  git?: ToldGit;
}

export interface ToldReusable {
  document?: string | null;
  git?: ToldGit;
}

/** @param told the column */
export function toldOf<Told extends ToldPage | ToldFile | ToldReusable>(told: string | null): Told {
  return told === null ? ({} as Told) : (JSON.parse(told) as Told);
}

/** The column. */
export function toldColumn(told: ToldPage | ToldFile | ToldReusable): string | null {
  const text = JSON.stringify(told);
  return text === '{}' ? null : text;
}

/**
 * Stands in a text for the URL that a file is downloaded from, which each answer makes anew. On a reserved
 * host, as the other URLs of the sandbox.
 */
const mark = 'https://files.sandbox.example/in-text/';
const marks = /https:\/\/files\.sandbox\.example\/in-text\/([\w-]+)/g;

export function fileMark(fileId: string): string {
  return mark + encodeURIComponent(fileId);
}

/** The id of the file that an address stands for; undefined for other addresses. */
export function markedFile(address: string): string | undefined {
  return address.startsWith(mark) ? /^[\w-]+/.exec(address.slice(mark.length))?.[0] : undefined;
}

/** A text with the URLs of its files. @param urlOf undefined for a file that is gone */
export function withFileUrls(text: string, urlOf: (fileId: string) => string | undefined): string {
  if (!text.includes(mark)) return text;
  return text.replaceAll(marks, (marked, fileId: string) => urlOf(fileId) ?? marked);
}
