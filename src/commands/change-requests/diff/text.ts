import type { ChalkInstance } from 'chalk';
import { type Painter, plain } from '../../../output/colors.js';
import { counted, grouped, safeLine, safeText } from '../../../output/text.js';
import { cut, widthOf } from '../../../output/text-width.js';
import type { ContentChange, Hunk, HunkPart } from '../../../workflows/change-diff/change.js';
import type { Tally } from '../../../workflows/change-diff/tally.js';
import {
  changeText,
  fieldLines,
  kindWords,
  labelOf,
  placeLines,
  sizeNote,
  wordCounts,
} from '../../../workflows/change-diff/told.js';
import type { DiffReport } from './report.js';

/** A comparison as text: removed words red and added ones green, or marked as by `git diff --word-diff`. */

interface Look {
  heading: Painter;
  place: Painter;
  removed: Painter;
  added: Painter;
  /** Spaces, which have no colour of their own. */
  removedSpace: Painter;
  addedSpace: Painter;
}

/** @param chalk undefined for no colour */
export function textReport(chalk: ChalkInstance | undefined): DiffReport {
  const look = lookOf(chalk);
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

function lookOf(chalk: ChalkInstance | undefined): Look {
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

function changeLines(change: ContentChange, look: Look): string {
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

function bothValues(from: string, to: string, look: Look): string {
  const old = from === '' ? '' : look.removed(safeLine(from));
  return old + (to === '' ? '' : look.added(safeLine(to)));
}

function hunkLines({ before, after, parts }: Hunk, look: Look): string {
  const place = `@@ -${before.line},${before.lines} +${after.line},${after.lines} @@`;
  const text = parts.map((part) => painted(part, look)).join('');
  return `${look.place(place)}\n${text}${text.endsWith('\n') ? '' : '\n'}`;
}

/** Each line by itself: pagers forget a colour at the end of a line. */
function painted({ change, text }: HunkPart, look: Look): string {
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
