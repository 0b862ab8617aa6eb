import { usageError } from '../../../base/errors.js';
import type { ManualInput } from '../../../cli/declare/command.js';
import type { Session } from '../../../cli/declare/session.js';
import { isStructured, wantsRows } from '../../../cli/run/output.js';
import { loadChalk } from '../../../output/colors.js';
import type { Page, View } from '../../../output/printer.js';
import { colorLevel, terminalWidth } from '../../../output/terminal.js';
import type { ContentChange } from '../../../workflows/change-diff/change.js';
import { readChanges } from '../../../workflows/change-diff/read-changes.js';
import { count, newTally, type Tally } from '../../../workflows/change-diff/tally.js';
import { conclude, type OpenDiff, openDiff } from './open.js';
import { printPieces } from './print.js';
import type { DiffReport } from './report.js';

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
  if (form === 'md') return (await import('./markdown.js')).markdownReport();
  if (form === 'html') return (await import('./html.js')).htmlReport();
  const chalk = await loadChalk(colorLevel(io, globals, 'stdout'));
  const { statReport, textReport } = await import('./text.js');
  if (form === 'text') return textReport(chalk);
  return statReport(chalk, io.stdout.isTTY === true ? terminalWidth(io) : undefined);
}

async function* changesOf(
  { reading, opened, differences }: OpenDiff,
  tally: Tally,
): AsyncGenerator<ContentChange> {
  for await (const change of readChanges(reading, opened, differences)) {
    count(tally, change);
    yield change;
  }
}

/** A page for each change, so that it is printed at once. */
async function* pagesOf(items: AsyncIterable<unknown>): AsyncGenerator<Page> {
  for await (const item of items) yield { items: [item], next: 'more' };
}

async function* piecesOf(report: DiffReport, open: OpenDiff, tally: Tally): AsyncGenerator<string> {
  yield report.begin(open.opened, open.warnings);
  for await (const change of changesOf(open, tally)) yield report.changed(change);
  yield report.end(tally);
}
