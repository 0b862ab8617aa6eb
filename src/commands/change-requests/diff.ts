import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import {
  type ContentChange,
  countChange,
  newTally,
  type Tally,
  tallyWords,
} from '../../change-diff/change.js';
import type { Difference } from '../../change-diff/compare-content.js';
import {
  type ChangeReading,
  changedMeanwhile,
  type Opened,
  openChanges,
  readChanges,
} from '../../change-diff/read-changes.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { isStructured, wantsRows } from '../../cli/run/output.js';
import { loadChalk } from '../../output/colors.js';
import { type Pager, startPager } from '../../output/pager.js';
import type { Page, View } from '../../output/printer.js';
import { showProgress, startProgress } from '../../output/progress.js';
import { ReaderGone } from '../../output/sink.js';
import { colorLevel, terminalWidth } from '../../output/terminal.js';
import { counted } from '../../output/text.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import { notAllRead } from '../../snapshot/unread.js';
import { type DiffReport, htmlReport, markdownReport, statReport, textReport } from './diff-forms.js';
import { aboutRequest } from './list.js';

/** `docs change-requests diff`: reads page after page, and prints each as soon as it is compared. */

type Form = 'text' | 'stat' | 'md' | 'html';

/** @throws DocsError usage; partial (exit 3) where not all was read; as the reads */
export async function printDiff(session: Session, input: ManualInput, view: View): Promise<void> {
  const form = formOf(session, input);
  await session.printer.check(view);
  const open = await openDiff(session, input);
  const tally = newTally();
  if (form === undefined) {
    await session.printer.list(pagesOf(changesOf(open, tally)), view);
    return conclude(open, tally, true);
  }
  for (const warning of open.warnings) session.printer.warn(warning);
  const report = await reportOf(session, form);
  const total = open.differences.length;
  const paged = form === 'text' || form === 'stat';
  const { left } = await printPieces(session, piecesOf(report, open, tally), { paged, total });
  if (!left) await conclude(open, tally, false);
}

/** @returns undefined where rows or a value were asked for @throws DocsError usage `contradiction` */
function formOf(session: Session, { options }: ManualInput): Form | undefined {
  const asked = (['stat', 'md', 'html'] as const).find((name) => options[name] === true);
  const isData = isStructured(session) || wantsRows(session);
  if (asked !== undefined && isData)
    throw usageError(
      'contradiction',
      `--${asked} replaces the list; remove it, or the flags that format the list.`,
    );
  return isData ? undefined : (asked ?? 'text');
}

async function reportOf({ io, globals }: Session, form: Form): Promise<DiffReport> {
  if (form === 'md') return markdownReport();
  if (form === 'html') return htmlReport();
  const chalk = await loadChalk(colorLevel(io, globals, 'stdout'));
  if (form === 'text') return textReport(chalk);
  return statReport(chalk, io.stdout.isTTY === true ? terminalWidth(io) : undefined);
}

async function* changesOf(
  { reading, opened, differences }: OpenDiff,
  tally: Tally,
): AsyncGenerator<ContentChange> {
  for await (const change of readChanges(reading, opened, differences)) {
    countChange(tally, change);
    yield change;
  }
}

/** A page for each item, so that it is printed at once. */
export async function* pagesOf(items: AsyncIterable<unknown>): AsyncGenerator<Page> {
  for await (const item of items) yield { items: [item], next: 'more' };
}

async function* piecesOf(report: DiffReport, open: OpenDiff, tally: Tally): AsyncGenerator<string> {
  yield report.begin(open.opened, open.warnings);
  for await (const change of changesOf(open, tally)) yield report.changed(change);
  yield report.end(tally);
}

/** A change request whose lists of pages are read and compared. */
export interface OpenDiff {
  session: Session;
  reading: ChangeReading;
  opened: Opened;
  /** Those that were asked for. */
  differences: Difference[];
  /** Whether all were. */
  isWhole: boolean;
  /** What to know about the comparison as a whole. */
  warnings: string[];
  /** The words that name the change request on a command line: `5 --space s1`. */
  named: string;
}

/** @throws DocsError usage, not-found where a page is on neither side, and what the reads throw */
export async function openDiff(session: Session, input: ManualInput): Promise<OpenDiff> {
  const { io } = session;
  const changeRequestId = String(input.args['change-request']);
  const concurrency = concurrencyOf(input);
  const at = { changeRequestId, spaceId: await contextId(session, 'space') };
  return showProgress(session, 'Reading lists of pages', async () => {
    const client = checkedClient(await session.client({ connections: concurrency, timeoutPerRequest: true }));
    const reading = { client, concurrency, signal: io.signal };
    const opened = await openChanges(reading, at, aboutRequest(at, io.platform));
    const named = nameOf(session, input, changeRequestId);
    const differences = asked(opened, input, named);
    const isWhole = differences === opened.differences;
    return { session, reading, opened, differences, isWhole, named, warnings: warningsOf(opened, named) };
  });
}

function nameOf({ io: { platform } }: Session, { options }: ManualInput, id: string): string {
  const space = typeof options.space === 'string' ? ` --space ${shellWord(options.space, platform)}` : '';
  return `${shellWord(id, platform)}${space}`;
}

function asked({ differences, pages }: Opened, { options }: ManualInput, named: string): Difference[] {
  const ids = options.pageId as string[] | undefined;
  if (ids === undefined || ids.length === 0) return differences;
  const unknown = ids.find((id) => !pages.has(id));
  if (unknown !== undefined) {
    const message = `Page ${unknown} is neither in the change request nor in its space.`;
    throw new DocsError('not-found', 'unknown_page', message, {
      hint: `docs change-requests diff ${named} --stat`,
    });
  }
  return differences.filter(({ change }) => change.kind === 'page' && ids.includes(change.id));
}

function warningsOf({ request }: Opened, named: string): string[] {
  const { status, outdated, number } = request;
  const name = `Change request ${number}`;
  if (status === 'merged')
    return [`${name} is merged; it is compared with what the space has now, later changes included.`];
  const warnings: string[] = [];
  if (status === 'archived')
    warnings.push(`${name} is archived; it is compared with what the space has now.`);
  if (outdated) {
    const pull = status === 'archived' ? '' : ` To pull them, run docs change-requests pull ${named}.`;
    warnings.push(`${name} is behind its space: later changes of the space show up reversed.${pull}`);
  }
  return warnings;
}

/**
 * Says how much changed, or why not all of it is known.
 * @throws DocsError partial (exit 3) where pages were not read, or content changed meanwhile
 */
export async function conclude(open: OpenDiff, tally: Tally, isJson: boolean): Promise<void> {
  const { session, reading, opened, named, warnings } = open;
  const { printer } = session;
  const words = tallyWords(tally);
  const details = { warnings, unread: tally.unread };
  const hint = `docs change-requests diff ${named}`;
  if (tally.unread.length > 0) {
    if (!isJson)
      for (const { kind, title, id, error } of tally.unread)
        printer.warn(`Not read: ${kind} ${title} (${id}): ${error?.message ?? ''}`);
    const retryable = tally.unread.some(({ error }) => error?.retryable === true);
    throw notAllRead(words, { details, retryable, hint });
  }
  if (await changedMeanwhile(reading, opened)) {
    const message = `${words} The change request or its space changed while it was read; pages may be of both states.`;
    throw new DocsError('partial', 'changed_meanwhile', message, { details, retryable: true, hint });
  }
  if (isJson) for (const warning of warnings) printer.warn(warning);
  const large =
    tally.large === 0 ? '' : ` Too large to compare word by word: ${counted(tally.large, 'page')}.`;
  printer.note(`${words}${large}${filesNote(open)}`);
}

/** Where the platform gives no hash of a file, other bytes of the same name and size go unseen. */
function filesNote({ opened: { bySize }, isWhole }: OpenDiff): string {
  return isWhole && bySize > 0 ? ` Compared by name and size only: ${counted(bySize, 'file')}.` : '';
}

interface Paging {
  /** Whether this text is to be read on a terminal. */
  paged: boolean;
  /** How many pieces there are, for the progress until the first is printed. */
  total: number;
}

/**
 * Prints pieces one after the other, and waits for the reader after each. Once it returns, the pager has gone.
 * @returns whether the reader left the pager before the end; nothing more was read then
 * @throws what the pieces throw; ReaderGone where standard output is closed
 */
export async function printPieces(
  session: Session,
  pieces: AsyncIterable<string>,
  { paged, total }: Paging,
): Promise<{ left: boolean }> {
  const { io, globals, printer, settings } = session;
  const progress = startProgress(io, { text: 'Reading pages', quiet: globals.quiet ?? false, total });
  // What only reads is paged by the printer, whatever it prints.
  const off = !paged || io.paging !== undefined || globals.pager === false || globals.input === false;
  const setting = settings.pager?.value;
  let pager: Pager | undefined;
  let [count, isOpen] = [0, false];
  try {
    for await (const piece of pieces) {
      progress.count(count);
      count += 1;
      if (piece === '') continue;
      progress.stop();
      if (!isOpen) pager = await startPager(io, { off, setting, note: (line) => printer.warn(line) });
      isOpen = true;
      if (pager === undefined) await printer.painted(piece);
      else if (await hasLeft(pager, piece)) return { left: true };
    }
    return { left: false };
  } finally {
    progress.stop();
    await pager?.close();
  }
}

async function hasLeft(pager: Pager, piece: string): Promise<boolean> {
  try {
    await pager.write(piece);
    return false;
  } catch (cause) {
    if (cause instanceof ReaderGone) return true;
    throw cause;
  }
}
