import type { ContentPage } from '../../../api/resources/content.js';
import { distinctFileName, fileNameKey, safeFileName } from '../../../base/file-name.js';
import { slug } from '../../../base/name.js';

/**
 * Where pages go in a pack. An import makes the path of a page from the names of its file and folders, and
 * sorts by them; a page with others below it is the README of their folder.
 */

export interface PackedPage {
  page: ContentPage;
  /** Path of its file in the pack: `guides/README.md`. */
  file: string;
  /** Whether relative links of its text could be read otherwise than from its file: they begin with `/`. */
  absolute: boolean;
}

export interface Placed {
  /** Each page before those below it. */
  pages: PackedPage[];
  /** Whether siblings are sorted otherwise in the space than by name. */
  reordered: boolean;
}

/** Longest name of a file or folder, in bytes; slugs have at most 100. */
const mostBytes = 120;
/** Names that an import takes for the page of the folder around them. */
const ownPage = /^(?:readme|index)$/i;

/** @param numbered names begin with a number, so that they sort as the pages do */
export function placeInPack(pages: readonly ContentPage[], numbered: boolean): Placed {
  const placed: PackedPage[] = [];
  let reordered = false;
  const place = (level: readonly ContentPage[], above: string): void => {
    const names = namesOf(level, numbered);
    reordered ||= names.some((name, at) => at > 0 && name < (names[at - 1] ?? ''));
    for (const [at, page] of level.entries()) {
      const path = `${above}${names[at]}`;
      const isParent = (page.pages ?? []).length > 0;
      const absolute = !isParent && ownPage.test(names[at] ?? '');
      placed.push({ page, file: isParent || absolute ? `${path}/README.md` : `${path}.md`, absolute });
      place(page.pages ?? [], `${path}/`);
    }
  };
  place(pages, '');
  return { pages: placed, reordered };
}

function namesOf(pages: readonly ContentPage[], numbered: boolean): string[] {
  const taken = new Set<string>();
  const digits = String(pages.length).length;
  return pages.map((page, at) => {
    const number = numbered ? `${String(at + 1).padStart(digits, '0')}-` : '';
    const name = distinctFileName(`${number}${nameOf(page)}`, (key) => taken.has(key));
    taken.add(fileNameKey(name));
    return name;
  });
}

/**
 * The slug, which an import makes of it again; links in the pack go by it. Any other is made safe for file systems:
 * without dots, which would begin an ending, and without the underscores of `_includes` and `__MACOSX`.
 */
function nameOf({ id, slug: own, title }: ContentPage): string {
  const words = (own || slug(title) || id).replaceAll(/[/\\.]/g, '-').replace(/^[\s_-]+/, '');
  if (/^[a-z0-9-]+$/.test(words) && words.length <= mostBytes) return words;
  return safeFileName(words === '' ? id : words, mostBytes).replaceAll('.', '-');
}

/**
 * A pack in which a single folder holds everything loses it: an import ignores such a folder. So the page of
 * that folder goes beside it; if there is none, another folder goes around all.
 * @param files paths of the files beside the pages
 * @param around name of the folder around all
 */
export function keepFolder(pages: readonly PackedPage[], files: string[], around: string): string {
  const paths = [...pages.map(({ file }) => file), ...files].map((path) => path.split('/'));
  const [first] = paths;
  if (first === undefined || !paths.every((path) => path.length > 1 && path[0] === first[0])) return '';
  const own = pages.find(({ file }) => file === `${first[0]}/README.md`);
  if (own === undefined) return `${around}/`;
  own.file = `${first[0]}.md`;
  own.absolute = true;
  return '';
}

/** Paths of files in the pack, by id: those of the space, where an import would take them for files. */
export function placeFiles(
  files: readonly { id: string; path: string }[],
  pages: readonly PackedPage[],
): Map<string, string> {
  const taken = new Set<string>();
  for (const { file } of pages)
    for (let path = file; path !== ''; path = path.slice(0, Math.max(path.lastIndexOf('/'), 0)))
      taken.add(fileNameKey(path));
  const sorted = [...files].sort((a, b) => (a.id < b.id ? -1 : 1));
  return new Map(
    sorted.map(({ id, path }) => {
      const parts = path.split(/[/\\]/).filter((part) => !/^\.*$/.test(part));
      const names = parts.map((part) => safeFileName(part).replace(/^__MACOSX$/, 'MACOSX'));
      const name = names.pop() ?? safeFileName(id);
      const folder = names.map((one) => `${one}/`).join('');
      // Text that is a file would become a page.
      const own = /\.(?:md|markdown|html?)$/i.test(name) ? `${name}.txt` : name;
      const free = distinctFileName(own, (key) => taken.has(fileNameKey(folder) + key));
      taken.add(fileNameKey(folder + free));
      return [id, folder + free];
    }),
  );
}
