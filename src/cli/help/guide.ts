import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChalkInstance } from 'chalk';
import { type DocsError, notSent, usageError } from '../../base/errors.js';
import { anchor } from '../../base/name.js';
import { isBinary } from '../../base/own-program.js';
import { helpLook, paragraph, rows } from './layout.js';
import { guideTopic } from './topic-names.js';

/** `docs help guide [<page> [<section>]]`, and `docs help <page>`. */

/** What the text is written for. */
export interface GuideReader {
  isTTY: boolean;
  /** Of the window; undefined where it is not known. */
  columns: number | undefined;
  chalk: ChalkInstance | undefined;
}

const command = `docs help ${guideTopic.name}`;

/**
 * What the words after `docs help` say of the guide: the list of pages, a page, or a section of one. A page is
 * rendered on a terminal; elsewhere it is Markdown, as it was written.
 * @returns undefined where they are about something else
 * @throws DocsError usage `unknown_guide_page` or `unknown_guide_section`; configuration `guide_missing`
 */
export async function guideHelp(words: readonly string[], reader: GuideReader): Promise<string | undefined> {
  const pages = guidePages();
  const [first = '', ...rest] = words;
  const isNamed = first === guideTopic.name;
  if (!isNamed && !pages.includes(first)) return undefined;
  if (pages.length === 0) throw guideMissing();
  const [page, section, ...more] = isNamed ? rest : words;
  if (page === undefined) return pageList(pages, reader);
  if (!pages.includes(page)) throw await notFound(page, pages, command);
  const markdown = readPage(page);
  const part = section === undefined ? markdown : await sectionIn(page, markdown, [section, ...more]);
  return reader.isTTY ? rendered(part, page, reader) : part;
}

/** The page to read first. */
const firstPage = 'concepts';

/** Each page with its title. */
function pageList(pages: readonly string[], { columns, chalk }: GuideReader): string {
  const { width, heading, name } = helpLook(columns, chalk);
  const blocks = [
    [heading(`${guideTopic.summary}.`)],
    rows(
      pages
        .toSorted((one, other) => Number(other === firstPage) - Number(one === firstPage))
        .map((page) => [page, titleOfPage(page)] as const),
      width,
      { left: name },
    ),
    paragraph(
      `${command} <page> shows a page, and ${command} <page> <section> one section of it. On a terminal the text ` +
        'is formatted; a pipe gets Markdown.',
      width,
    ),
    paragraph(
      'The word guide can be left out unless the page has the name of a command, an alias or a help topic.',
      width,
    ),
  ];
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** @throws DocsError usage `unknown_guide_section` */
async function sectionIn(page: string, markdown: string, words: readonly string[]): Promise<string> {
  const sections = sectionsOf(markdown);
  const wanted = words.join('-').toLowerCase();
  const found = sections.find(({ slug }) => slug === wanted);
  if (found === undefined) {
    const slugs = sections.map(({ slug }) => slug);
    throw await notFound(words.join(' '), slugs, `${command} ${page}`, page);
  }
  return `${markdown.split('\n').slice(found.from, found.to).join('\n').trimEnd()}\n`;
}

async function rendered(
  markdown: string,
  page: string,
  { columns = 0, chalk }: GuideReader,
): Promise<string> {
  const { renderMarkdown } = await import('../../output/markdown.js');
  const leadsTo = (url: string) => placeOf(url, page);
  return renderMarkdown(withoutComments(markdown), { columns, chalk, leadsTo });
}

/** What a link of the guide leads to, as a person can run or open it. @param page that the link is on */
function placeOf(url: string, page: string): string {
  const [, linked, slug = ''] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(url) ?? [];
  if (linked !== undefined || slug !== '') return [command, linked ?? page, slug].join(' ').trimEnd();
  if (URL.canParse(url)) return url;
  const path = join(guideFolder, url);
  return existsSync(path) ? path : url;
}

/** Comments are for those who edit a page. */
function withoutComments(markdown: string): string {
  const prose = proseLines(markdown);
  const lines = markdown.split('\n');
  return lines.filter((_, at) => !/^<!--.*-->$/.test(prose[at] ?? '')).join('\n');
}

/** @param command what is typed before the word @param page of which it is not a section */
async function notFound(
  word: string,
  known: readonly string[],
  command: string,
  page?: string,
): Promise<DocsError> {
  const { didYouMean, nearest } = await import('../../base/nearest.js');
  const meant = nearest(word, known);
  const line = meant === undefined ? undefined : `${command} ${meant}`;
  const quoted = JSON.stringify(word.slice(0, 60));
  const where = page === undefined ? '' : ` in guide page "${page}"`;
  const what = `${page === undefined ? 'guide page' : 'section'} ${quoted} not found${where}`;
  const code = page === undefined ? 'unknown_guide_page' : 'unknown_guide_section';
  const details = line === undefined ? undefined : { nearest: [line] };
  return usageError(code, `${what}${didYouMean(line)}`, { hint: command, details });
}

function guideMissing(): DocsError {
  const message = `${guideFolder} is missing or cannot be read; install docs again to read the guide`;
  return notSent('configuration', 'guide_missing', message);
}

/** The guide: pages of Markdown that are shipped with the program. Its files are the only list of them. */

/** Set at build time; undefined where the sources run as they are. */
declare const __DOCS_BUILT__: true | undefined;

/** From this file to what holds `docs/guide`: a clone, an installed package, or the program without Node. */
function upwards(): string[] {
  if (isBinary) return [];
  return typeof __DOCS_BUILT__ === 'undefined' ? ['..', '..', '..'] : ['..'];
}

/** Where the pages are. */
const guideFolder = join(import.meta.dirname, ...upwards(), 'docs', 'guide');

const ending = '.md';

/** A part of a page under a heading, up to the next heading that is not below it. */
interface Section {
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
function proseLines(markdown: string): (string | undefined)[] {
  let fence = '';
  return markdown.split('\n').map((line) => {
    const [mark = ''] = /^ {0,3}(?:`{3,}|~{3,})/.exec(line) ?? [];
    const wasOpen = fence !== '';
    if (!wasOpen) fence = mark.trim();
    else if (mark.trim().startsWith(fence)) fence = '';
    return wasOpen || mark !== '' ? undefined : line;
  });
}
