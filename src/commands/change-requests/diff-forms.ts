import type { ChalkInstance } from 'chalk';
import {
  type ContentChange,
  changeHtml,
  changeText,
  fieldLines,
  type Hunk,
  type HunkPart,
  kindWords,
  labelOf,
  placeLines,
  sizeNote,
  type Tally,
  tallyWords,
  wordCounts,
} from '../../change-diff/change.js';
import type { Opened } from '../../change-diff/read-changes.js';
import { htmlLine, pageHead } from '../../document/html.js';
import { Excerpt, escapeMarkdown, shortLine, table } from '../../document/markdown.js';
import { plain } from '../../output/colors.js';
import { counted, grouped, safeLine, safeText } from '../../output/text.js';
import { cut, widthOf } from '../../output/text-width.js';

/**
 * A comparison as text, as counts a page, as Markdown, and as one page of HTML: no script, nothing loaded, every
 * text escaped.
 */

const style = [
  ':root{color-scheme:light dark;--ink:#1c1c1c;--soft:#59595f;--line:#d8d8de;--add:#d4f4d9;--add-ink:#0b4a1a;--del:#fbdcdc;--del-ink:#7a1212}',
  '@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#a5a5ad;--line:#44444c;--add:#153d1f;--add-ink:#a9ecb9;--del:#4a1719;--del-ink:#ffb9b9}body{background:#161616}}',
  'body{font:16px/1.6 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:var(--ink)}',
  'h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2.5rem 0 .25rem}',
  '.note{border-left:.25rem solid;padding-left:.6rem;color:inherit}',
  'h1,h2,p{overflow-wrap:anywhere}p{color:var(--soft);margin:.25rem 0}',
  '.text{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.4rem;padding:.6rem .8rem;margin:.6rem 0;unicode-bidi:isolate}',
  'ins{background:var(--add);color:var(--add-ink);text-decoration:none}',
  'del{background:var(--del);color:var(--del-ink)}',
  '@media print{body{margin:0;max-width:none}.text{break-inside:avoid-page}ins{text-decoration:underline}}',
].join('\n');

export function htmlReport(): DiffReport {
  return {
    begin({ request, space }, warnings = []) {
      const title = htmlLine(`Change request ${request.number}: ${request.subject}`);
      return [
        ...pageHead(title, style),
        `<h1 dir="auto">${title}</h1>`,
        `<p>Compared with the content of the space <bdi>${htmlLine(space.title)}</bdi> as it is now.</p>`,
        ...warnings.map((warning) => `<p class="note">${htmlLine(warning)}</p>`),
        '',
      ].join('\n');
    },
    changed: (change) => changeHtml(change, 'h2'),
    end: (tally) => `<p>${htmlLine(tallyWords(tally))}</p>\n</body>\n</html>\n`,
  };
}

/**
 * A comparison for a pull request: the sum, a table, and folded texts with what was removed and added in them. It
 * stays below GitHub's limit for a comment (65,536 characters) and says how much it left out. Nothing in it can
 * become markup, or a mention of a person or an issue.
 */
const mostCharacters = 60_000;
const mostInTable = 20_000;
/** A text of a cell or a title is cut at this length, in characters. */
const longest = 200;
/** Without the punctuation of sentences, since paragraphs hold whole texts of pages. */
const markup = /[!#$&*:<>@[\\\]^_`{|}~]/g;

export function markdownReport(): DiffReport {
  let opened: Opened | undefined;
  let notes: readonly string[] = [];
  const [rows, texts] = [new Excerpt(mostInTable), new Excerpt(mostCharacters - mostInTable - 2000)];
  return {
    begin(given, warnings = []) {
      opened = given;
      notes = warnings;
      return '';
    },
    changed(change) {
      rows.add(row(change));
      const text = folded(change);
      if (text !== '') texts.add(text);
      return '';
    },
    end(tally) {
      const { number = 0, subject = '' } = opened?.request ?? {};
      const head = `### Change request ${number}: ${inert(subject)}\n\n${[...notes, tallyWords(tally)].map((note) => entities(safeLine(note))).join('\n\n')}\n`;
      if (rows.text === '') return head;
      const list = `\n${table(['Page or file', 'Change', 'Words'], [])}${rows.text}${rows.more('further row')}`;
      return `${head}${list}${texts.text}${texts.more('further text')}`;
    },
  };
}

function row(change: ContentChange): string {
  const { words } = change;
  const size = words === undefined ? '' : `+${words.added} −${words.removed}`;
  return `| ${inert(labelOf(change))} | ${inert(changeText(change))} | ${size} |\n`;
}

function folded(change: ContentChange): string {
  const { title, hunks = [] } = change;
  const note = sizeNote(change);
  const lines = [
    ...placeLines(change).map(inert),
    ...fieldLines(change).map(
      ({ field, from, to }) => `${inert(field)}: <del>${inert(from)}</del> <ins>${inert(to)}</ins>`,
    ),
    ...(note === undefined ? [] : [inert(note)]),
    ...hunks.map(hunkText),
  ];
  if (lines.length === 0) return '';
  return `\n<details>\n<summary>${inert(title)}</summary>\n\n${lines.join('\n\n')}\n\n</details>\n`;
}

/** One paragraph, whose lines are broken by tags: no line of it can begin a list, a fence or a heading. */
function hunkText({ after, parts }: Hunk): string {
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
function inert(text: string): string {
  return entities(shortLine(text, longest));
}

/**
 * What Markdown and GitHub could interpret, as entities, which they take for letters. An invisible space keeps names,
 * issues and addresses from being linked.
 */
function entities(text: string): string {
  return escapeMarkdown(text, markup).replace(/&#(?:35|64);|&#58;(?=\/\/)|www(?=\.)/gi, '$&&#8203;');
}

type Styles = ReturnType<typeof stylesOf>;

/** @param chalk undefined for no colour */
export function textReport(chalk: ChalkInstance | undefined): DiffReport {
  const look = stylesOf(chalk);
  let isFirst = true;
  return {
    begin: () => '',
    changed(change) {
      const between = isFirst ? '' : '\n';
      isFirst = false;
      return between + changeLines(change, look);
    },
    end: () => '',
  };
}

/** Spaces have no colour of their own, so theirs is behind them. */
function stylesOf(chalk: ChalkInstance | undefined) {
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

function changeLines(change: ContentChange, look: Styles): string {
  const { title, path, words, hunks = [] } = change;
  const name = path === undefined || path === '' ? safeLine(title) : `${safeLine(title)} (${safeLine(path)})`;
  const size = words === undefined ? '' : `, ${wordCounts(words)}`;
  const noun = kindWords(change);
  const what = changeText(change) || 'no changes';
  const lines = [look.heading(`${noun} ${name}: ${what}${size}`)];
  for (const line of placeLines(change)) lines.push(`  ${safeLine(line)}`);
  for (const { field, from, to } of fieldLines(change))
    lines.push(`  ${field}: ${bothValues(from, to, look)}`);
  const note = sizeNote(change);
  if (note !== undefined) lines.push(`  ${safeLine(note)}`);
  return `${lines.join('\n')}\n${hunks.map((hunk) => hunkLines(hunk, look)).join('')}`;
}

function bothValues(from: string, to: string, look: Styles): string {
  const old = from === '' ? '' : look.removed(safeLine(from));
  return old + (to === '' ? '' : look.added(safeLine(to)));
}

function hunkLines({ before, after, parts }: Hunk, look: Styles): string {
  const place = `@@ -${before.line},${before.lines} +${after.line},${after.lines} @@`;
  const text = parts.map((part) => painted(part, look)).join('');
  return `${look.place(place)}\n${text}${text.endsWith('\n') ? '' : '\n'}`;
}

/** Each line by itself: pagers forget a colour at the end of a line. */
function painted({ change, text }: HunkPart, look: Styles): string {
  const safe = safeText(text);
  if (change === 'same') return safe;
  const [paint, space] =
    change === 'added' ? [look.added, look.addedSpace] : [look.removed, look.removedSpace];
  return safe
    .split('\n')
    .map((line) => (line === '' ? '' : line.trim() === '' ? space(line) : paint(line)))
    .join('\n');
}

/** A line for each page, as `git diff --stat` has it for files. */

/** Columns of a path off a terminal, where longer ones are not cut; the rest of the line is counts and marks. */
const mostPath = 60;
/** What a line takes beside path and kind of change. */
const restWidth = 29;
/** Columns for the kind of change, which is cut. */
const mostChange = 21;
const mostMarks = 10;
const countWidth = 6;

/** @param chalk undefined for no colour @param columns of the terminal; undefined elsewhere: nothing is cut */
export function statReport(chalk: ChalkInstance | undefined, columns: number | undefined): DiffReport {
  let width = 0;
  const [added, removed] = [chalk?.green ?? plain, chalk?.red ?? plain];
  const wide = Number.POSITIVE_INFINITY;
  const most = columns === undefined ? wide : Math.max(10, columns - restWidth - mostChange);
  return {
    begin({ differences }) {
      for (const { change } of differences) width = Math.max(width, widthOf(short(labelOf(change), most)));
      width = Math.min(width, most, mostPath);
      return '';
    },
    changed(change) {
      const { words } = change;
      const label = short(labelOf(change), most);
      const name = label + ' '.repeat(Math.max(0, width - widthOf(label)));
      const what = short(changeText(change), columns === undefined ? wide : mostChange);
      if (words === undefined) return ` ${name} | ${what}\n`;
      const [plus, minus] = [`+${grouped(words.added)}`, `-${grouped(words.removed)}`];
      const counts = `${plus.padStart(countWidth)} ${minus.padStart(countWidth)}`;
      const marks = marksOf(words);
      const bar = added('+'.repeat(marks.added)) + removed('-'.repeat(marks.removed));
      const space = ' '.repeat(mostMarks - marks.added - marks.removed);
      return ` ${name} | ${counts} ${bar}${space} ${what}\n`;
    },
    end: (tally) => `${total(tally)}\n`,
  };
}

function short(label: string, most: number): string {
  const line = safeLine(label);
  return most === Number.POSITIVE_INFINITY ? line : cut(line, most);
}

/** Up to ten marks; more words share them by their number, each kind with at least one. */
function marksOf({ added, removed }: { added: number; removed: number }): { added: number; removed: number } {
  const all = added + removed;
  if (all <= mostMarks) return { added, removed };
  const plus = Math.round((added / all) * mostMarks);
  const fitting = Math.min(mostMarks - (removed > 0 ? 1 : 0), Math.max(plus, added > 0 ? 1 : 0));
  return { added: fitting, removed: mostMarks - fitting };
}

function total({ changed, words, files, reusable }: Tally): string {
  const others = Object.values(files).reduce((sum, one) => sum + one, 0) + reusable;
  const more = others === 0 ? '' : `, ${counted(others, 'file')} changed`;
  const size = `${counted(words.added, 'word')} added(+), ${counted(words.removed, 'word')} removed(-)`;
  return ` ${counted(changed, 'page')} changed${more}, ${size}`;
}

/** A form in which a comparison is printed, piece by piece as it is read. */
export interface DiffReport {
  /** @param warnings what to know about the comparison as a whole: what is read elsewhere says it itself */
  begin(opened: Opened, warnings?: readonly string[]): string;
  changed(change: ContentChange): string;
  end(tally: Tally): string;
}
