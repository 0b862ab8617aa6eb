import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ChalkInstance } from 'chalk';
import { type DocsError, notSent, usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { guideFolder, guidePages, proseLines, readPage, sectionsOf, titleOfPage } from './guide.js';
import { guideTopic } from './help.js';
import { helpLook } from './look.js';
import { paragraph, rows } from './text-layout.js';

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

/** Each page with its title. */
function pageList(pages: readonly string[], { columns, chalk }: GuideReader): string {
  const { width, heading, name } = helpLook(columns, chalk);
  const blocks = [
    [heading(`${guideTopic.summary}.`)],
    rows(
      pages.map((page) => [page, titleOfPage(page)] as const),
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
  const { nearest } = await import('../../base/nearest.js');
  const meant = nearest(word, known);
  const line = meant === undefined ? undefined : `${command} ${meant}`;
  const quoted = JSON.stringify(word.slice(0, 60));
  const where = page === undefined ? '' : ` in guide page "${page}"`;
  const what = `${page === undefined ? 'guide page' : 'section'} ${quoted} not found${where}`;
  const suggestion = line === undefined ? '' : ` Did you mean ${line}?`;
  const code = page === undefined ? 'unknown_guide_page' : 'unknown_guide_section';
  const details = line === undefined ? undefined : { nearest: [line] };
  return usageError(code, `${what}.${suggestion}`, defined({ hint: command, details }));
}

function guideMissing(): DocsError {
  const message = `${guideFolder} is missing or cannot be read; install docs again to read the guide.`;
  return notSent('configuration', 'guide_missing', message);
}
