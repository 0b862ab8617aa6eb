import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { wantsText } from '../../cli/run/for-reading.js';
import { warnReader } from '../../cli/run/output-flags.js';
import { originOf } from '../../cli/run/session-job.js';
import { counted } from '../../output/counted.js';
import type { Page, View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { notReadLines } from '../../snapshot/unread.js';
import { recordRun } from '../../workflows/last-runs/last-runs.js';
import { readBaseline, writeBaseline } from '../../workflows/link-check/baseline.js';
import { LinkCheck } from '../../workflows/link-check/execute.js';
import type { Looked } from '../../workflows/link-check/finding.js';
import { failureOf, type Report, tallyWords } from '../../workflows/link-check/report.js';
import { groupedText } from '../../workflows/link-check/reports/grouped-text.js';
import { openReport, piecesOf, writeReport } from '../../workflows/link-check/reports/report.js';
import { withShards } from '../shards.js';
import type { Own } from '../shards-own.js';
import { type CheckPage, checkPage } from './check-page.js';
import { type CheckRequest, lookedFor, requestOf, requireRead } from './request.js';

/** `docs links check`: prints findings as a list, grouped on a terminal, or as a report. */

interface Run {
  session: Session;
  view: View;
  request: CheckRequest;
  check: LinkCheck;
  /** With `--html`. */
  page?: CheckPage;
  /** When parts were read that are joined. */
  readAt?: string;
}

/** @throws DocsError findings (exit 17), partial (exit 3); as `requestOf`, `readBaseline`, `writeReport` */
export async function checkLinks(session: Session, typed: ManualInput, view: View): Promise<void> {
  const { space, collection, site, status, html } = typed.options;
  const extras = { page: { isRead: typeof html === 'string', flag: 'html' } };
  const flags = {
    space,
    collection,
    site,
    status: typed.options.merge === undefined ? lookedFor(typed) : status,
  };
  await withShards(session, typed, { command: 'links check', flags, extras }, (own) => checkOwn(own, view));
}

async function checkOwn({ session, input, shard, readAt, has }: Own, view: View): Promise<void> {
  const page = await checkPage(session, input);
  const request = await requestOf(session, input);
  const { report, baseline: path, updateBaseline, statuses } = request;
  if (readAt !== undefined) requireRead(input, statuses);
  if (report !== undefined && session.sorts)
    throw usageError(
      'contradiction',
      '--sort-by and --report contradict each other; a report has an order of its own.',
    );
  await session.printer.check(view);
  const baseline = path === undefined ? new Map() : await readBaseline(path, updateBaseline);
  const check = new LinkCheck({
    ...request,
    baseline,
    ...defined({ drawing: page?.drawing, shard, readsAll: has('page') || undefined }),
  });
  const run = { session, view, request, check, ...defined({ page, readAt }) };
  const printing = report === undefined ? print(run) : printReport(run, await openReport(report, statuses));
  await printing.catch((cause: unknown) => {
    page?.left(cause);
    throw cause;
  });
  await remember(run);
  await page?.write(check.tally, request);
  if (updateBaseline && path !== undefined) {
    const { found, ground } = run.check;
    const write = () => writeBaseline(session.io, path, baseline, found, ground);
    if (session.globals.dryRun) session.printer.note(`Dry run: did not write ${path}.`);
    else session.printer.note(`${path} now holds ${counted(await write(), 'known finding')}.`);
  }
  tell(run);
}

/** What a check of the whole organization found is what `docs overview` tells. */
async function remember({ session, request, check, readAt }: Run): Promise<void> {
  if (!check.isWhole || session.globals.dryRun === true) return;
  const { io } = session;
  const { read, unread } = check.tally;
  const { spaces: of, broken } = check;
  // A check that read nothing says less than the one before it.
  if (read.size === 0 && of > 0) return;
  const at = readAt ?? new Date(io.now()).toISOString();
  const run = { at, spaces: read.size, of, broken, unread: unread.length };
  await recordRun(io, { origin: originOf(session), organization: request.organization }, 'links', run);
}

/** Grouped on a terminal, unless a format or an order was asked for; else a list. */
async function print(run: Run): Promise<void> {
  if (!wantsText(run.session)) {
    // The list shows progress of its own.
    await run.session.printer.list(pagesOf(looksOf(run, true)), run.view);
    return;
  }
  await printText(run, { begin: () => '', looked: groupedText(), end: () => '' });
}

async function printReport(run: Run, report: Report): Promise<void> {
  const { reportFile } = run.request;
  if (reportFile === undefined) return printText(run, report);
  if (!run.session.globals.dryRun)
    return writeReport(run.session.io, reportFile, piecesOf(report, looksOf(run), run.check.tally));
  await print(run);
  run.session.printer.note(`Dry run: did not write ${reportFile}.`);
}

async function printText(run: Run, report: Report): Promise<void> {
  for await (const piece of piecesOf(report, looksOf(run), run.check.tally))
    if (piece !== '') await run.session.printer.text(piece);
}

async function* pagesOf(looks: AsyncIterable<Looked>): AsyncGenerator<Page> {
  for await (const { findings } of looks) if (findings.length > 0) yield { items: findings, next: 'more' };
}

/** Runs the check, showing its progress while nothing is printed. Connects at the first read. */
async function* looksOf(
  { session, request, check, page }: Run,
  quiet = session.globals.quiet ?? false,
): AsyncGenerator<Looked> {
  const { io } = session;
  const { organization, concurrency } = request;
  let [progress, done] = [startProgress(io, { text: 'Looking for spaces', quiet }), 0];
  try {
    const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
    for await (const event of check.run({
      client,
      organizationId: organization,
      concurrency,
      signal: io.signal,
    })) {
      if (event.kind === 'started') {
        const total = event.total > 0 ? { total: event.total } : {};
        progress.stop();
        progress = startProgress(io, { text: 'Checking', quiet, ...total });
        continue;
      }
      done += 1;
      progress.count(done, check.tally.unread.length);
      progress.hide();
      for (const finding of event.looked.findings) page?.findings.push(finding);
      yield event.looked;
      progress.show();
    }
  } finally {
    progress.stop();
  }
}

/** What was not read, one a line; then the sum, as a failure if there is one. */
function tell({ session, request: { statuses, failOn }, check }: Run): void {
  const failure = failureOf(check.tally, statuses, failOn, session.io.platform);
  warnReader(session, notReadLines(check.tally.unread));
  if (failure !== undefined) throw failure;
  session.printer.note(tallyWords(check.tally, statuses));
}
