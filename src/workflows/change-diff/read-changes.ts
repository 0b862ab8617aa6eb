import { diffArrays } from 'diff';
import type { CallOptions } from '../../api/client.js';
import {
  type ChangeRequest,
  getChangeRequest,
  getChangeRequestContent,
  getChangeRequestPage,
} from '../../api/resources/change-requests.js';
import { type ContentPage, getContent, getPage } from '../../api/resources/content.js';
import { getSpace, type Space } from '../../api/resources/spaces.js';
import { DocsError } from '../../base/errors.js';
import { readEach } from '../../jobs/in-order.js';
import { type Reading, readFailure } from '../../snapshot/unread.js';
import { type ContentChange, changeOf, type Hunk, type HunkPart } from './change.js';
import { compareContent, type Difference, filesWithoutHash } from './compare-content.js';
import { type Budget, compareWords } from './compare-words.js';
import { placedPages } from './placed-pages.js';
import { countWords } from './tokens.js';

/** Reads what a change request changes, compared with the content that its space has now. */

export type ChangeReading = Pick<Reading, 'client' | 'concurrency' | 'signal'>;

/** Where a change request is. */
export interface RequestAt {
  spaceId: string;
  changeRequestId: string;
}

/** What is known before any text is read. */
export interface Opened {
  at: RequestAt;
  request: ChangeRequest;
  space: Space;
  differences: Difference[];
  /** Files that are taken for the same because name and size are. */
  bySize: number;
  /** Pages on each side, those below others included. */
  pages: ReadonlySet<string>;
}

/** Pages whose texts are read before what comes before them is printed. */
export const mostAhead = 16;

/**
 * @param about what the change request is in errors
 * @throws DocsError where the change request, the space, or a list of pages cannot be read
 */
export async function openChanges(
  { client }: ChangeReading,
  at: RequestAt,
  about: CallOptions = {},
): Promise<Opened> {
  const { spaceId } = at;
  const [request, space, before, after] = await Promise.all([
    client.call(getChangeRequest, { path: at }, about),
    client.call(getSpace, { path: { spaceId } }, about),
    client.call(getContent, { path: { spaceId } }, about),
    client.call(getChangeRequestContent, { path: at }, about),
  ]);
  const pages = new Set([...placedPages(before.pages).keys(), ...placedPages(after.pages).keys()]);
  const [differences, bySize] = [compareContent(before, after), filesWithoutHash(before, after)];
  return { at, request, space, differences, bySize, pages };
}

/**
 * The changes in order, each as soon as its texts are read; eight pages are read at once. A page that cannot be read
 * is `unknown`. Once the caller stops, nothing more is read.
 * @throws what would stop every other read, too
 */
export async function* readChanges(
  reading: ChangeReading,
  { at }: Opened,
  differences: readonly Difference[],
): AsyncGenerator<ContentChange> {
  const { concurrency } = reading;
  const read = (difference: Difference) => readChange(reading, at, difference);
  for await (const change of readEach({ concurrency, ahead: mostAhead }, differences, read))
    if (change.changes.length > 0) yield change;
}

/** One change with its text. @throws what would stop every other read, too */
export async function readChange(
  { client, signal }: ChangeReading,
  at: RequestAt,
  { change, reads }: Difference,
): Promise<ContentChange> {
  if (reads === 'none') return change;
  const query = { format: 'markdown' } as const;
  const { id: pageId } = change;
  const { spaceId } = at;
  try {
    const [before, after] = await Promise.all([
      reads === 'after' ? '' : client.call(getPage, { path: { spaceId, pageId }, query }).then(textOf),
      reads === 'before'
        ? ''
        : client.call(getChangeRequestPage, { path: { ...at, pageId }, query }).then(textOf),
    ]);
    const found = compareTexts(before, after);
    if (found === undefined) return { ...change, words: { added: 0, removed: 0 } };
    const changes = reads === 'both' ? [...change.changes, 'edited' as const] : change.changes;
    return { ...change, change: changeOf(changes), changes, ...found };
  } catch (cause) {
    const error = readFailure(cause, signal).toJSON() as ContentChange['error'];
    const changes = [...change.changes, 'unknown' as const];
    return { ...change, change: changeOf(changes), changes, ...(error && { error }) };
  }
}

/** @throws DocsError bad-response where the answer has only the structured content */
function textOf({ markdown, document }: ContentPage): string {
  if (markdown !== undefined || document === undefined) return markdown ?? '';
  throw new DocsError(
    'bad-response',
    'no_markdown',
    'The platform answered without the Markdown of the page.',
  );
}

/** Whether the change request or the space got other content since they were opened. */
export async function changedMeanwhile(
  { client }: ChangeReading,
  { at, request, space }: Opened,
): Promise<boolean> {
  const [now, spaceNow] = await Promise.all([
    client.call(getChangeRequest, { path: at }),
    client.call(getSpace, { path: { spaceId: at.spaceId } }),
  ]);
  return now.revision !== request.revision || spaceNow.revision !== space.revision;
}

/**
 * The difference between two texts: lines first, then the words of lines that differ. Whatever the texts are, the
 * work and the result are bounded: what is larger is compared by lines, or only counted.
 */

type TextDifference = Required<Pick<ContentChange, 'words' | 'compared'>> & Pick<ContentChange, 'hunks'>;

/** Lines shown around a change. */
const context = 3;
/** Line edits after which a comparison is given up: its time grows with their square. */
const mostEdits = 1000;
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

/** @returns undefined if both read the same; a missing line break at the end, or its kind, is no difference */
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
  const found = diffArrays(removed, added, { maxEditLength: mostEdits });
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
