import type { ChalkInstance } from 'chalk';
import { type Painter, plain } from '../../../output/colors.js';
import { safeLine, safeText } from '../../../output/safe-text.js';
import type { ContentChange, Hunk, HunkPart } from '../../../workflows/change-diff/change.js';
import {
  changeText,
  fieldLines,
  kindWords,
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
