import type { ChalkInstance } from 'chalk';
import { plain } from '../output/colors.js';
import { grouped, safeLine, safeText } from '../output/text.js';
import { escapeHtml, htmlLine } from './html.js';
import { escapeMarkdown, shortLine } from './markdown.js';

/**
 * A text before and after, word by word, in each medium. Comparisons are printed while they are read, so a part is drawn
 * by itself.
 */
export interface DiffPart {
  /** `page`, `file`, `reusable content`. */
  as: string;
  title: string;
  path?: string | undefined;
  /** What it is called where there is room for one text. */
  label: string;
  /** What happened, in one place: `moved, edited`. */
  what: string;
  words?: WordCounts | undefined;
  /** Where it was and is: each a sentence without its end. */
  places: readonly string[];
  fields: readonly { field: string; from: string; to: string }[];
  /** Why its text is not there, or not compared word by word. */
  note?: string | undefined;
  hunks?: readonly DiffHunk[] | undefined;
}

interface WordCounts {
  added: number;
  removed: number;
}

/** Changed lines with those around them; line breaks are in the texts. */
interface DiffHunk {
  before: { line: number; lines: number };
  after: { line: number; lines: number };
  parts: readonly { change: 'same' | 'removed' | 'added'; text: string }[];
}

/** `+12 -3 words`. */
function wordCounts({ added, removed }: WordCounts): string {
  return `+${grouped(added)} -${grouped(removed)} words`;
}

type DiffStyles = ReturnType<typeof diffStyles>;

/**
 * How words that are added and removed look on a terminal. Spaces have no colour of their own, so theirs is behind them.
 * @param chalk undefined for no colour
 */
export function diffStyles(chalk: ChalkInstance | undefined) {
  if (chalk === undefined) {
    const removed = (text: string) => `[-${text}-]`;
    const added = (text: string) => `{+${text}+}`;
    return { heading: plain, place: plain, removed, added, removedSpace: removed, addedSpace: added };
  }
  return {
    heading: chalk.bold,
    place: chalk.cyan,
    removed: chalk.red,
    added: chalk.green,
    removedSpace: chalk.bgRed,
    addedSpace: chalk.bgGreen,
  };
}

/** For a terminal, sanitised. */
export function renderDiff(part: DiffPart, look: DiffStyles): string {
  const { as, title, path = '', what, words, places, fields, note, hunks = [] } = part;
  const name = path === '' ? safeLine(title) : `${safeLine(title)} (${safeLine(path)})`;
  const size = words === undefined ? '' : `, ${wordCounts(words)}`;
  const lines = [
    look.heading(`${safeLine(as)} ${name}: ${safeLine(what) || 'no changes'}${size}`),
    ...places.map((line) => `  ${safeLine(line)}`),
    ...fields.map(({ field, from, to }) => `  ${safeLine(field)}: ${bothValues(from, to, look)}`),
    ...(note === undefined ? [] : [`  ${safeLine(note)}`]),
  ];
  return `${lines.join('\n')}\n${hunks.map((hunk) => hunkLines(hunk, look)).join('')}`;
}

function bothValues(from: string, to: string, look: DiffStyles): string {
  const old = from === '' ? '' : look.removed(safeLine(from));
  return old + (to === '' ? '' : look.added(safeLine(to)));
}

function hunkLines({ before, after, parts }: DiffHunk, look: DiffStyles): string {
  const place = `@@ -${before.line},${before.lines} +${after.line},${after.lines} @@`;
  const text = parts.map((part) => painted(part, look)).join('');
  return `${look.place(place)}\n${text}${text.endsWith('\n') ? '' : '\n'}`;
}

/** Each line by itself: pagers forget a colour at the end of a line. */
function painted({ change, text }: DiffHunk['parts'][number], look: DiffStyles): string {
  const safe = safeText(text);
  if (change === 'same') return safe;
  const [paint, space] =
    change === 'added' ? [look.added, look.addedSpace] : [look.removed, look.removedSpace];
  return safe
    .split('\n')
    .map((line) => (line === '' ? '' : line.trim() === '' ? space(line) : paint(line)))
    .join('\n');
}

/** A text of a cell or a title is cut at this length, in characters. */
const longest = 200;
/** Without the punctuation of sentences, since paragraphs hold whole texts of pages. */
const markup = /[!#$&*:<>@[\\\]^_`{|}~]/g;

/** For Markdown, folded below its title; empty where there is nothing but the title. */
export function renderDiffMarkdown({ title, places, fields, note, hunks = [] }: DiffPart): string {
  const lines = [
    ...places.map(inert),
    ...fields.map(
      ({ field, from, to }) => `${inert(field)}: <del>${inert(from)}</del> <ins>${inert(to)}</ins>`,
    ),
    ...(note === undefined ? [] : [inert(note)]),
    ...hunks.map(hunkText),
  ];
  if (lines.length === 0) return '';
  return `\n<details>\n<summary>${inert(title)}</summary>\n\n${lines.join('\n\n')}\n\n</details>\n`;
}

/** One paragraph, whose lines are broken by tags: no line of it can begin a list, a fence or a heading. */
function hunkText({ after, parts }: DiffHunk): string {
  let startsLine = true;
  const pieces = parts.map(({ change, text }) => {
    const html = linesOf(text, startsLine);
    startsLine = text.endsWith('\n');
    if (change === 'same') return html.join('<br>');
    const tag = change === 'added' ? 'ins' : 'del';
    return html.map((line) => (line === '' ? '' : `<${tag}>${line}</${tag}>`)).join('<br>');
  });
  return `<sub>Line ${after.line}</sub><br>${pieces.join('').replace(/(?:<br>)+$/, '')}`;
}

/** Lines that keep their indentation. @param startsLine whether the text begins at the start of a line */
function linesOf(text: string, startsLine: boolean): string[] {
  return safeText(text)
    .split('\n')
    .map((line, index) => {
      const indent = index > 0 || startsLine ? (/^[ \t]*/.exec(line)?.[0] ?? '') : '';
      const kept = indent.replaceAll('\t', '    ').replaceAll(' ', '&nbsp;');
      return kept + entities(line.slice(indent.length));
    });
}

/** A short text of one line. */
export function inert(text: string): string {
  return entities(shortLine(text, longest));
}

/**
 * What Markdown and GitHub could interpret, as entities, which they take for letters. An invisible space keeps names,
 * issues and addresses from being linked.
 */
export function entities(text: string): string {
  return escapeMarkdown(text, markup).replace(/&#(?:35|64);|&#58;(?=\/\/)|www(?=\.)/gi, '$&&#8203;');
}

/**
 * For a page, as a section: every text escaped, no address in it.
 * @param heading the element of its title @param id what an address names it by; of safe characters
 */
export function renderDiffHtml(part: DiffPart, heading: 'h2' | 'h3', id?: string): string {
  const { as, title, path = '', what, words, places, fields, note, hunks = [] } = part;
  const facts = [what, ...(words === undefined ? [] : [wordCounts(words)])];
  const lines = [
    id === undefined ? '<section>' : `<section id="${id}">`,
    `<${heading}><bdi>${htmlLine(title)}</bdi></${heading}>`,
    `<p>${htmlLine(as)} <bdi>${htmlLine(path)}</bdi> ${htmlLine(facts.join(', '))}</p>`,
    ...places.map((text) => `<p dir="auto">${htmlLine(text)}</p>`),
    ...fields.map(
      ({ field, from, to }) =>
        `<p>${htmlLine(field)}: <del><bdi>${htmlLine(from)}</bdi></del> <ins><bdi>${htmlLine(to)}</bdi></ins></p>`,
    ),
    ...(note === undefined ? [] : [`<p>${htmlLine(note)}</p>`]),
    ...hunks.map(hunkHtml),
  ];
  return `${lines.join('\n')}\n</section>\n`;
}

function hunkHtml({ after, parts }: DiffHunk): string {
  const tags = { same: ['', ''], removed: ['<del>', '</del>'], added: ['<ins>', '</ins>'] } as const;
  const text = parts.map(({ change, text: own }) => {
    const [open, close] = tags[change];
    return `${open}${escapeHtml(own)}${close}`;
  });
  return `<p>Line ${after.line}</p>\n<div class="text" dir="auto">${text.join('')}</div>`;
}
