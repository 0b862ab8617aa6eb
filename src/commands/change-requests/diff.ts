import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import {
  type ContentChange,
  countChange,
  diffPart,
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
import type { Report, ReportEnding } from '../../cli/run/run-report.js';
import { loadChalk } from '../../output/colors.js';
import type { Page } from '../../output/printer.js';
import { showProgress } from '../../output/progress.js';
import { colorLevel, terminalWidth } from '../../output/terminal.js';
import { counted } from '../../output/text.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import { notAllRead } from '../../snapshot/unread.js';
import { type DiffReport, htmlReport, markdownReport, statReport, textReport } from './diff-forms.js';
import { aboutRequest } from './list.js';

/** `docs change-requests diff`: reads page after page, and prints each as soon as it is compared. */

/** A comparison that is printed while it is read, and what was counted on the way. */
interface Comparison {
  open: OpenDiff;
  tally: Tally;
}

export const diffReport: Report<Comparison> = {
  formOf(session, { options }) {
    const isData = wantsData(session);
    const form = (['stat', 'md', 'html'] as const).find((name) => options[name] === true);
    if (form !== undefined && isData)
      throw usageError(
        'contradiction',
        `--${form} replaces the list; remove it, or the flags that format the list.`,
      );
    return isData ? 'rows' : 'text';
  },
  read: async ({ session, input }) => ({ open: await openDiff(session, input), tally: newTally() }),
  rows: ({ open, tally }) => ({ items: pagesOf(changesOf(open, tally)) }),
  async text({ open, tally }, { session, input: { options } }) {
    for (const warning of open.warnings) session.printer.warn(warning);
    const form = await reportOf(session, options);
    const isFile = options.md === true || options.html === true;
    return { items: piecesOf(form, open, tally), paged: !isFile, total: open.differences.length };
  },
  end: ({ open, tally }, { form, listed }) =>
    listed.left === true ? undefined : conclude(open, tally, form === 'rows'),
};

/** Whether rows or a value were asked for. */
export function wantsData(session: Session): boolean {
  return isStructured(session) || wantsRows(session);
}

async function reportOf({ io, globals }: Session, options: ManualInput['options']): Promise<DiffReport> {
  if (options.md === true) return markdownReport();
  if (options.html === true) return htmlReport();
  const chalk = await loadChalk(colorLevel(io, globals, 'stdout'));
  if (options.stat !== true) return textReport(chalk);
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
  for await (const change of changesOf(open, tally)) yield report.changed(diffPart(change));
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

/** How much changed; partial (exit 3) where pages were not read, or content changed meanwhile. */
export async function conclude(open: OpenDiff, tally: Tally, isData: boolean): Promise<ReportEnding> {
  const { session, reading, opened, named, warnings } = open;
  const { printer } = session;
  const words = tallyWords(tally);
  const details = { warnings, unread: tally.unread };
  const hint = `docs change-requests diff ${named}`;
  if (tally.unread.length > 0) {
    if (!isData)
      for (const { kind, title, id, error } of tally.unread)
        printer.warn(`Not read: ${kind} ${title} (${id}): ${error?.message ?? ''}`);
    const retryable = tally.unread.some(({ error }) => error?.retryable === true);
    return { failure: notAllRead(words, { details, retryable, hint }) };
  }
  if (await changedMeanwhile(reading, opened)) {
    const message = `${words} The change request or its space changed while it was read; pages may be of both states.`;
    return {
      failure: new DocsError('partial', 'changed_meanwhile', message, { details, retryable: true, hint }),
    };
  }
  if (isData) for (const warning of warnings) printer.warn(warning);
  const large =
    tally.large === 0 ? '' : ` Too large to compare word by word: ${counted(tally.large, 'page')}.`;
  return { note: `${words}${large}${filesNote(open)}` };
}

/** Where the platform gives no hash of a file, other bytes of the same name and size go unseen. */
function filesNote({ opened: { bySize }, isWhole }: OpenDiff): string {
  return isWhole && bySize > 0 ? ` Compared by name and size only: ${counted(bySize, 'file')}.` : '';
}
