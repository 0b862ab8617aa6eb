import { diffArrays } from 'diff';
import type { ContentChange, Hunk, HunkPart } from './change.js';

/**
 * The difference between two texts: lines first, then the words of lines that differ. Whatever the texts are, the
 * work and the result are bounded: what is larger is compared by lines, or only counted.
 */

/** Edits after which a comparison is given up: its time grows with their square. */
const mostWordEdits = 400;
/** Lines that have fewer words in common than this are shown whole: single words of them would be confetti. */
const leastInCommon = 0.2;

/** Pieces of a page that may still be compared word by word, so that no page takes long. */
interface Budget {
  tokens: number;
  /** Whether lines were too many, or differed in too much, to be compared. */
  exceeded: boolean;
}

/**
 * Two runs of lines, word by word.
 * @returns undefined where they are too large or have too little in common
 */
function compareWords(before: string, after: string, budget: Budget): HunkPart[] | undefined {
  const [old, now] = [tokensOf(before), tokensOf(after)];
  const size = old.length + now.length;
  const fits = size <= budget.tokens;
  if (fits) budget.tokens -= size;
  const found = fits ? diffArrays(old, now, { maxEditLength: mostWordEdits }) : undefined;
  if (found === undefined) {
    budget.exceeded = true;
    return undefined;
  }
  const parts = found.map(({ value, added, removed }): HunkPart => {
    const change = added ? 'added' : removed ? 'removed' : 'same';
    return { change, text: value.join('') };
  });
  const same = parts.reduce((sum, { change, text }) => sum + (change === 'same' ? countWords(text) : 0), 0);
  const most = Math.max(countWords(before), countWords(after));
  return same < most * leastInCommon ? undefined : joined(parts);
}

/** Changes that only a space separates become one, and what was removed comes before what was added. */
function joined(parts: readonly HunkPart[]): HunkPart[] {
  const result: HunkPart[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    // The space that ends both was taken in with the words before it.
    const end = commonSpace(removed, added);
    const cut = (text: string) => text.slice(0, text.length - end.length);
    if (cut(removed) !== '') result.push({ change: 'removed', text: cut(removed) });
    if (cut(added) !== '') result.push({ change: 'added', text: cut(added) });
    if (end !== '') result.push({ change: 'same', text: end });
    [removed, added] = ['', ''];
  };
  for (const [index, { change, text }] of parts.entries()) {
    if (change === 'removed') removed += text;
    else if (change === 'added') added += text;
    else if (isGap(text) && removed !== '' && added !== '' && index < parts.length - 1) {
      removed += text;
      added += text;
    } else {
      flush();
      result.push({ change, text });
    }
  }
  flush();
  return result;
}

function commonSpace(one: string, other: string): string {
  const [first = '', second = ''] = [one, other].map((text) => /[^\S\n]*$/.exec(text)?.[0]);
  let length = 0;
  while (length < Math.min(first.length, second.length) && first.at(-1 - length) === second.at(-1 - length))
    length += 1;
  return first.slice(first.length - length);
}

function isGap(text: string): boolean {
  return /^[^\S\n]+$/.test(text);
}

/** Words, as a reader sees them, in any script. */

/** Scripts that put no spaces between words: each character stands for itself. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}';
const marks = '\\p{M}\\u200d\\ufe0f\\u{1f3fb}-\\u{1f3ff}';
/** An emoji with what belongs to it, which colours must not tear apart; a flag is two letters. */
const emoji = `\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic}(?:[${marks}]|\\p{Extended_Pictographic}(?<=\\u200d.))*`;
const token = new RegExp(
  `\\n|[^\\S\\n]+|[${unspaced}][\\p{M}]*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+|${emoji}|[^]`,
  'gu',
);
const word = new RegExp(`[${unspaced}]|[^\\s${unspaced}]+`, 'gu');

/** The text in pieces: words, spaces, line breaks, punctuation. Joined, they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** What stands between spaces counts as a word; so does each character of a script that has no spaces. */
export function countWords(text: string): number {
  let count = 0;
  word.lastIndex = 0;
  while (word.exec(text) !== null) count += 1;
  return count;
}

type TextDifference = Required<Pick<ContentChange, 'words' | 'compared'>> & Pick<ContentChange, 'hunks'>;

/** Lines shown around a change. */
const context = 3;
/** Line edits after which a comparison is given up: its time grows with their square. */
const mostLineEdits = 1000;
/** Characters and lines that differ, above which they are not shown. */
const mostShown = { characters: 400_000, lines: 20_000 };
/** Words, spaces and marks of one page that are compared one by one. */
const mostTokens = 60_000;

/** Lines that are the same, or that stand in place of others. */
interface Run {
  removed: readonly string[];
  added: readonly string[];
  same: readonly string[];
}

/** @returns undefined if both read the same; the line break at the end, or its kind, does not count */
export function compareTexts(before: string, after: string): TextDifference | undefined {
  if (before === after) return undefined;
  const [old, now] = [linesOf(before), linesOf(after)];
  const start = commonStart(old, now);
  const end = commonEnd(old, now, start);
  const [removed, added] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  if (removed.length + added.length === 0) return undefined;
  if (isTooLarge(removed, added)) {
    const words = { added: countWords(added.join('')), removed: countWords(removed.join('')) };
    return { words, compared: 'counted' };
  }
  const found = diffArrays(removed, added, { maxEditLength: mostLineEdits });
  const middle: Run[] =
    found === undefined
      ? [{ removed, added, same: [] }]
      : runsOf(found.map(({ value, ...kind }) => ({ lines: value, ...kind })));
  const runs = [sameRun(old.slice(0, start)), ...middle, sameRun(old.slice(old.length - end))];
  return shown(runs, found !== undefined);
}

function isTooLarge(removed: readonly string[], added: readonly string[]): boolean {
  const length = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);
  const { characters, lines } = mostShown;
  return removed.length + added.length > lines || length(removed) + length(added) > characters;
}

/** Lines with their breaks; the last one has one, too. */
function linesOf(text: string): string[] {
  return (
    text
      .replaceAll('\r\n', '\n')
      .match(/[^\n]*\n|[^\n]+$/g)
      ?.map(ended) ?? []
  );
}

function ended(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n`;
}

function commonStart(old: readonly string[], now: readonly string[]): number {
  const most = Math.min(old.length, now.length);
  let count = 0;
  while (count < most && old[count] === now[count]) count += 1;
  return count;
}

function commonEnd(old: readonly string[], now: readonly string[], start: number): number {
  const most = Math.min(old.length, now.length) - start;
  let count = 0;
  while (count < most && old[old.length - 1 - count] === now[now.length - 1 - count]) count += 1;
  return count;
}

const sameRun = (same: readonly string[]): Run => ({ removed: [], added: [], same });

/** Neighbouring removals and additions as one run. */
function runsOf(found: readonly { lines: string[]; added: boolean; removed: boolean }[]): Run[] {
  const runs: Run[] = [];
  let open: { removed: string[]; added: string[] } | undefined;
  for (const { lines, added, removed } of found) {
    if (!added && !removed) {
      runs.push(sameRun(lines));
      open = undefined;
      continue;
    }
    if (open === undefined) {
      open = { removed: [], added: [] };
      runs.push({ ...open, same: [] });
    }
    (added ? open.added : open.removed).push(...lines);
  }
  return runs;
}

/** The runs as hunks, each with the lines around it. */
function shown(runs: readonly Run[], byLine: boolean): TextDifference {
  const budget: Budget = { tokens: byLine ? mostTokens : 0, exceeded: !byLine };
  const words = { added: 0, removed: 0 };
  const hunks = new Hunks();
  for (const [index, { removed, added, same }] of runs.entries()) {
    if (removed.length + added.length === 0) {
      hunks.same(same, index === runs.length - 1);
      continue;
    }
    const [old, now] = [removed.join(''), added.join('')];
    const parts = (removed.length > 0 && added.length > 0 ? compareWords(old, now, budget) : undefined) ?? [
      ...(old === '' ? [] : [{ change: 'removed' as const, text: old }]),
      ...(now === '' ? [] : [{ change: 'added' as const, text: now }]),
    ];
    for (const { change, text } of parts) if (change !== 'same') words[change] += countWords(text);
    hunks.changed(parts, removed.length, added.length);
  }
  return { words, compared: budget.exceeded ? 'lines' : 'words', hunks: hunks.all };
}

class Hunks {
  readonly all: Hunk[] = [];
  #open: Hunk | undefined;
  /** The last unchanged lines, which may come before a change. */
  #before: readonly string[] = [];
  /** Lines passed so far, on both sides. */
  #old = 0;
  #now = 0;

  same(lines: readonly string[], isLast: boolean): void {
    const open = this.#open;
    const joins = open !== undefined && !isLast && lines.length <= 2 * context;
    if (open !== undefined) {
      const shown = joins ? lines : lines.slice(0, context);
      add(open, shown);
      if (!joins) this.#open = undefined;
    }
    this.#old += lines.length;
    this.#now += lines.length;
    this.#before = lines.slice(-context);
  }

  changed(parts: readonly HunkPart[], removed: number, added: number): void {
    if (this.#open === undefined) {
      const lead = this.#before.length;
      this.#open = {
        before: { line: this.#old - lead + 1, lines: 0 },
        after: { line: this.#now - lead + 1, lines: 0 },
        parts: [],
      };
      this.all.push(this.#open);
      add(this.#open, this.#before);
    }
    this.#open.parts.push(...parts);
    this.#open.before.lines += removed;
    this.#open.after.lines += added;
    this.#old += removed;
    this.#now += added;
    this.#before = [];
  }
}

function add(hunk: Hunk, lines: readonly string[]): void {
  if (lines.length === 0) return;
  hunk.parts.push({ change: 'same', text: lines.join('') });
  hunk.before.lines += lines.length;
  hunk.after.lines += lines.length;
}
