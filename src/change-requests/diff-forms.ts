import type { ChalkInstance } from 'chalk';
import {
  type DiffPart,
  diffStyles,
  entities,
  inert,
  renderDiff,
  renderDiffHtml,
  renderDiffMarkdown,
} from '../document/diff.js';
import { htmlLine, pageHead } from '../document/html.js';
import { Excerpt, table } from '../document/markdown.js';
import { plain } from '../output/colors.js';
import { counted, grouped, safeLine } from '../output/text.js';
import { cut, widthOf } from '../output/text-width.js';
import { labelOf, type Tally, tallyWords } from './change.js';
import type { Opened } from './read-changes.js';

/**
 * A comparison as text, as counts a page, as Markdown, and as one page of HTML: no script, nothing loaded, every
 * text escaped.
 */

/**
 * A comparison that is printed while it is read: `tally` is whole after the last of `parts`. Each form yields a piece
 * before the first part and one for each part, if empty: the progress counts them.
 */
export interface PrintedDiff {
  opened: Opened;
  parts: AsyncIterable<DiffPart>;
  tally: Tally;
  /** What to know about the comparison as a whole; what is read elsewhere says it itself. */
  warnings: readonly string[];
}

/** @param style the looks of reports */
export async function* htmlPieces(
  { opened, parts, tally, warnings }: PrintedDiff,
  style: () => Promise<string>,
): AsyncGenerator<string> {
  const { request, space, differences } = opened;
  const title = htmlLine(`Change request ${request.number}: ${request.subject}`);
  const labels = differences.map(({ change }) => labelOf(change));
  const links = labels.map(
    (label) => `<li><a href="#${anchorOf(label)}" dir="auto">${htmlLine(label)}</a></li>`,
  );
  yield [
    ...pageHead(title, await style()),
    '<header>',
    `<p class="title" dir="auto">${title}</p>`,
    `<h1>${htmlLine(headlineOf(differences))}</h1>`,
    `<p>Compared with the present content of the space <bdi>${htmlLine(space.title)}</bdi>.</p>`,
    ...warnings.map((warning) => `<p class="warning">${htmlLine(warning)}</p>`),
    '</header>',
    '<main class="split">',
    `<nav class="kinds" aria-label="Pages and files"><ul>${links.join('')}</ul></nav>`,
    '<div>',
    '',
  ].join('\n');
  for await (const part of parts) yield renderDiffHtml(part, 'h2', anchorOf(part.label));
  yield `<p>${htmlLine(tallyWords(tally))}</p>\n</div>\n</main>\n</body>\n</html>\n`;
}

/** `12 pages change, 2 of them removed`. */
function headlineOf(differences: Opened['differences']): string {
  const removed = differences.filter(({ change }) => change.change === 'removed').length;
  const gone = removed === 0 ? '' : `, ${grouped(removed)} of them removed`;
  const changed = counted(differences.length, 'page or file changes', 'pages and files change');
  return differences.length === 0 ? 'No changes' : `${changed}${gone}`;
}

function anchorOf(label: string): string {
  return `d-${encodeURIComponent(label).replaceAll(/[^\w-]+/g, '-')}`;
}

/**
 * A comparison for a pull request: the sum, a table, and folded texts with what was removed and added in them. It
 * stays below GitHub's limit for a comment (65,536 characters) and says how much it left out. Nothing in it can
 * become markup, or a mention of a person or an issue.
 */
const mostCharacters = 60_000;
const mostInTable = 20_000;

export async function* markdownPieces({
  opened: { request },
  parts,
  tally,
  warnings,
}: PrintedDiff): AsyncGenerator<string> {
  yield '';
  const [rows, texts] = [new Excerpt(mostInTable), new Excerpt(mostCharacters - mostInTable - 2000)];
  for await (const part of parts) {
    rows.add(row(part));
    const text = renderDiffMarkdown(part);
    if (text !== '') texts.add(text);
    yield '';
  }
  const notes = [...warnings, tallyWords(tally)].map((note) => entities(safeLine(note)));
  const head = `### Change request ${request.number}: ${inert(request.subject)}\n\n${notes.join('\n\n')}\n`;
  const list = `\n${table(['Page or file', 'Change', 'Words'], [])}${rows.text}${rows.more('further row')}`;
  yield rows.text === '' ? head : `${head}${list}${texts.text}${texts.more('further text')}`;
}

function row({ label, what, words }: DiffPart): string {
  const size = words === undefined ? '' : `+${words.added} −${words.removed}`;
  return `| ${inert(label)} | ${inert(what)} | ${size} |\n`;
}

/** @param chalk undefined for no colour */
export async function* textPieces(
  { parts }: PrintedDiff,
  chalk: ChalkInstance | undefined,
): AsyncGenerator<string> {
  yield '';
  const styles = diffStyles(chalk);
  let between = '';
  for await (const part of parts) {
    yield between + renderDiff(part, styles);
    between = '\n';
  }
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
export async function* statPieces(
  { opened, parts, tally }: PrintedDiff,
  chalk: ChalkInstance | undefined,
  columns: number | undefined,
): AsyncGenerator<string> {
  const [added, removed] = [chalk?.green ?? plain, chalk?.red ?? plain];
  const wide = Number.POSITIVE_INFINITY;
  const most = columns === undefined ? wide : Math.max(10, columns - restWidth - mostChange);
  const widths = opened.differences.map(({ change }) => widthOf(short(labelOf(change), most)));
  const widest = widths.reduce((width, one) => Math.max(width, one), 0);
  const width = Math.min(widest, most, mostPath);
  yield '';
  for await (const { words, what: happened, ...part } of parts) {
    const label = short(part.label, most);
    const name = label + ' '.repeat(Math.max(0, width - widthOf(label)));
    const what = short(happened, columns === undefined ? wide : mostChange);
    if (words === undefined) {
      yield ` ${name} | ${what}\n`;
      continue;
    }
    const [plus, minus] = [`+${grouped(words.added)}`, `-${grouped(words.removed)}`];
    const counts = `${plus.padStart(countWidth)} ${minus.padStart(countWidth)}`;
    const marks = marksOf(words);
    const bar = added('+'.repeat(marks.added)) + removed('-'.repeat(marks.removed));
    const space = ' '.repeat(mostMarks - marks.added - marks.removed);
    yield ` ${name} | ${counts} ${bar}${space} ${what}\n`;
  }
  yield `${total(tally)}\n`;
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
