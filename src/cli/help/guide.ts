import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchor } from '../../base/name.js';
import { isBinary } from '../../base/own-program.js';

/** The guide: pages of Markdown that are shipped with the program. Its files are the only list of them. */

/** Set at build time; undefined where the sources run as they are. */
declare const __DOCS_BUILT__: true | undefined;

/** From this file to what holds `docs/guide`: a clone, an installed package, or the program without Node. */
function upwards(): string[] {
  if (isBinary) return [];
  return typeof __DOCS_BUILT__ === 'undefined' ? ['..', '..', '..'] : ['..'];
}

/** Where the pages are. */
export const guideFolder = join(import.meta.dirname, ...upwards(), 'docs', 'guide');

const ending = '.md';

/** A part of a page under a heading, up to the next heading that is not below it. */
export interface Section {
  /** As links of the guide name it: `a-copy-of-your-organization`. */
  slug: string;
  title: string;
  /** The lines of the part. */
  from: number;
  to: number;
}

/** The names of the pages, in order; none where the folder cannot be read. */
export function guidePages(): string[] {
  try {
    const files = readdirSync(guideFolder).filter((file) => file.endsWith(ending));
    return files.map((file) => file.slice(0, -ending.length)).sort();
  } catch {
    return [];
  }
}

/** The title of a page: its first line. */
export function titleOfPage(page: string): string {
  const [line = ''] = readPage(page).split(/\r?\n/, 1);
  return line.replace(/^#+ +/, '');
}

/** @param page one of `guidePages()` @returns its Markdown */
export function readPage(page: string): string {
  return readFileSync(pathOf(page), 'utf8');
}

function pathOf(page: string): string {
  return join(guideFolder, page + ending);
}

/** The parts of a page, those inside others too; the page as a whole is none. */
export function sectionsOf(markdown: string): Section[] {
  const lines = proseLines(markdown);
  const headings = lines.flatMap((line, at) => {
    const [, marks = '', title = ''] = /^(#{2,6}) +(.*)$/.exec(line ?? '') ?? [];
    return marks === '' ? [] : [{ at, level: marks.length, title }];
  });
  return headings.map(({ at, level, title }, index) => {
    const next = headings.slice(index + 1).find((heading) => heading.level <= level);
    return { slug: anchor(title), title: title.replaceAll('`', ''), from: at, to: next?.at ?? lines.length };
  });
}

/** The lines of a page; undefined for those inside of blocks of code. */
export function proseLines(markdown: string): (string | undefined)[] {
  let fence = '';
  return markdown.split('\n').map((line) => {
    const [mark = ''] = /^ {0,3}(?:`{3,}|~{3,})/.exec(line) ?? [];
    const wasOpen = fence !== '';
    if (!wasOpen) fence = mark.trim();
    else if (mark.trim().startsWith(fence)) fence = '';
    return wasOpen || mark !== '' ? undefined : line;
  });
}
