import { resolve } from 'node:path';
import {
  type Finding,
  type LinkFindings,
  type ReportFormat,
  reportFormats,
} from '../../access/links/finding.js';
import {
  type Baseline,
  type CheckPlan,
  failureOf,
  LinkCheck,
  type Report,
  readBaseline,
  tallyWords,
  writeBaseline,
} from '../../access/links/link-check.js';
import type { DrawnBeside } from '../../access/links/read-graph.js';
import { type LinkStatus, linkStatuses } from '../../access/links/reference.js';
import { groupedText, openReport, piecesOf, writeReport } from '../../access/links/report-formats.js';
import { usageError } from '../../base/errors.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { originOf } from '../../cli/run/origin.js';
import { isStructured, wantsText } from '../../cli/run/output.js';
import { placeFacts } from '../../cli/run/report-page.js';
import type {
  Document,
  Labelled,
  ManualInput,
  Page,
  Report as ReadReport,
  ReportEnding,
  ReportRequest,
  Session,
} from '../../cli/run/run-report.js';
import { recordRun } from '../../jobs/last-runs.js';
import { startProgress } from '../../output/progress.js';
import { counted } from '../../output/text.js';
import { isWhole, type Scope } from '../../snapshot/spaces.js';
import { notReadLines } from '../../snapshot/unread.js';

/** `docs links check`: prints findings as a list, grouped on a terminal, or as a report. */

interface Run {
  request: CheckRequest;
  baseline: Baseline;
  check: LinkCheck;
  /** With `--html`. */
  page?: { drawing: DrawnBeside; findings: Finding[] };
}

/** Findings (exit 17), partial (exit 3); usage; as `requestOf`, `readBaseline`, `writeReport`. */
export const checkReport: ReadReport<Run> = {
  split({ options, ...typed }) {
    const { space, collection, site, status, html, merge } = options;
    const extras = { page: { isRead: typeof html === 'string', flag: 'html' } };
    const asked = merge === undefined ? lookedFor({ options, ...typed }) : status;
    return { command: 'links check', flags: { space, collection, site, status: asked }, extras };
  },
  formOf: (session, { options }) =>
    formatOf(session, options) !== undefined || wantsText(session) ? 'text' : 'rows',
  read: beginCheck,
  text: (run, asked) => textOf(run, asked),
  // The list shows progress of its own.
  rows: (run, { session }) => pagesOf(looksOf(run, session, true)),
  notes: ({ request: { reportFile } }, { session }) =>
    reportFile !== undefined && session.globals.dryRun ? [`Dry run: did not write ${reportFile}.`] : [],
  page: pageOf,
  async end(run, { session, readAt }) {
    await recordCheck(run, session, readAt);
    await updateBaseline(run, session);
    return endingOf(run, session.io.platform);
  },
};

async function beginCheck({ session, input, shard, readAt, has, page: isPage }: ReportRequest): Promise<Run> {
  const request = await requestOf(session, input);
  const { report, baselineFile: path, statuses } = request;
  if (readAt !== undefined) requireRead(input, statuses);
  if (report !== undefined && session.sorts)
    throw usageError(
      'contradiction',
      `--sort-by and ${flagOf(session)} contradict each other; a report has an order of its own`,
    );
  const baseline = path === undefined ? new Map() : await readBaseline(path, request.updateBaseline);
  const page = isPage ? { drawing: await newDrawing(), findings: [] } : undefined;
  const check = new LinkCheck({
    ...{ ...request, baseline, shard, drawing: page?.drawing },
    readsAll: has('page') || undefined,
  });
  return { request, baseline, check, page };
}

async function newDrawing(): Promise<DrawnBeside> {
  const { DrawnBeside } = await import('../../access/links/read-graph.js');
  return new DrawnBeside();
}

/** Grouped on a terminal, or the report; undefined for a list. A report in a file leaves nothing to print. */
async function textOf(run: Run, { session }: ReportRequest): Promise<AsyncIterable<string> | undefined> {
  const { report, reportFile, statuses } = run.request;
  const isWritten = reportFile !== undefined && !session.globals.dryRun;
  if (report === undefined || (reportFile !== undefined && !isWritten))
    return wantsText(session)
      ? printedPieces(run, session, { begin: () => '', looked: groupedText(), end: () => '' })
      : undefined;
  const opened = openReport(report, statuses);
  if (!isWritten) return printedPieces(run, session, opened);
  return written(session.io, reportFile, piecesOf(opened, looksOf(run, session), run.check.tally));
}

async function* printedPieces(run: Run, session: Session, report: Report): AsyncGenerator<string> {
  for await (const piece of piecesOf(report, looksOf(run, session), run.check.tally))
    if (piece !== '') yield piece;
}

/** Writes the report as it is read; nothing is left to print. */
async function* written(
  io: Session['io'],
  path: string,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  await writeReport(io, path, pieces);
  yield* [];
}

async function updateBaseline({ request, baseline, check }: Run, session: Session): Promise<void> {
  const { baselineFile: path, updateBaseline: isAsked } = request;
  if (!isAsked || path === undefined) return;
  if (session.globals.dryRun) return session.printer.note(`Dry run: did not write ${path}.`);
  const count = await writeBaseline(session.io, path, baseline, check.found, check.ground);
  session.printer.note(`${path} now has ${counted(count, 'known finding')}.`);
}

/** What a check of the whole organization found is what `docs overview` tells. */
async function recordCheck(
  { request, check }: Run,
  session: Session,
  readAt: string | undefined,
): Promise<void> {
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

async function* pagesOf(looks: AsyncIterable<LinkFindings>): AsyncGenerator<Page> {
  for await (const { findings } of looks) if (findings.length > 0) yield { items: findings, next: 'more' };
}

/** Runs the check, showing its progress while nothing is printed. Connects at the first read. */
async function* looksOf(
  { request, check, page }: Run,
  session: Session,
  quiet = session.globals.quiet ?? false,
): AsyncGenerator<LinkFindings> {
  const { io } = session;
  const { organization, concurrency } = request;
  const progress = startProgress(io, { text: 'Looking for spaces', quiet });
  let done = 0;
  try {
    const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
    for await (const event of check.run({
      client,
      organizationId: organization,
      concurrency,
      signal: io.signal,
    })) {
      if (event.kind === 'started') {
        progress.next('Checking', event.total || undefined);
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

function endingOf({ request: { statuses, failOn }, check }: Run, platform: NodeJS.Platform): ReportEnding {
  return {
    warnings: notReadLines(check.tally.unread),
    failure: failureOf(check.tally, statuses, failOn, platform),
    note: tallyWords(check.tally, statuses),
  };
}

/** `--html`: what was found, and all links as a graph. */
async function pageOf({ request, check, page }: Run, { session }: ReportRequest): Promise<Document> {
  const { checkPage } = await import('../../access/links/page.js');
  if (page === undefined) throw new Error('There is no page.');
  const graph = await page.drawing.finish(check.tally.unread);
  const facts = [...placeFacts(session, request.organization), scopeFact(request)];
  return checkPage({ findings: page.findings, tally: check.tally, statuses: request.statuses, graph }, facts);
}

/** `Checked: space s1, site w1`. */
function scopeFact({ scope: { spaces, collections, sites }, changeRequest }: CheckRequest): Labelled {
  const words = [
    ...spaces.map((id) => `space ${id}`),
    ...collections.map((id) => `collection ${id}`),
    ...sites.map((id) => `site ${id}`),
    ...(changeRequest === undefined ? [] : [`change request ${changeRequest}`]),
  ];
  return ['Checked', words.length === 0 ? 'all spaces that can be found' : words.join(', ')];
}

/** What a check was asked to do, from what was typed; what `failOn` names is among the statuses. */
interface CheckRequest extends Pick<CheckPlan, 'scope' | 'changeRequest' | 'statuses' | 'updateBaseline'> {
  organization: string;
  failOn: readonly LinkStatus[];
  concurrency: number;
  report?: ReportFormat;
  /** Absolute path. */
  reportFile?: string;
  /** Absolute path. */
  baselineFile?: string;
}

/**
 * Reads and checks the flags; nothing is sent.
 * @throws DocsError usage if flags contradict each other or a value is unknown
 */
async function requestOf(session: Session, input: ManualInput): Promise<CheckRequest> {
  const { options } = input;
  const [space = [], collections = [], sites = [], failOn = []] = [
    'space',
    'collection',
    'site',
    'failOn',
  ].map((name) => options[name] as string[] | undefined);
  const absolute = (path: unknown) => (typeof path === 'string' ? resolve(session.io.cwd, path) : undefined);
  const given = {
    changeRequest: options.changeRequest as string | undefined,
    statuses: lookedFor(input),
    failOn: linkStatuses.filter((status) => failOn.includes(status)),
    concurrency: concurrencyOf(input),
    report: formatOf(session, options),
    reportFile: absolute(options.reportFile),
    baselineFile: absolute(options.baseline),
    updateBaseline: options.updateBaseline === true,
  };
  refuseContradictions(session, given);
  const scope = { spaces: space, collections, sites };
  return { ...given, ...(await whereOf(session, scope, given.changeRequest)) };
}

/** What is looked for, in the order of the known ones: `--status`, and what `--fail-on` names. */
function lookedFor({ options: { status = ['broken'], failOn = [] } }: ManualInput): LinkStatus[] {
  const asked = [status, failOn].flat() as string[];
  return linkStatuses.filter((one) => asked.includes(one));
}

/** @throws DocsError usage `other_parts` where parts were not read for what `--fail-on` names */
function requireRead({ options: { status } }: ManualInput, wanted: readonly LinkStatus[]): void {
  const missed = wanted.filter((one) => !((status as string[] | undefined) ?? ['broken']).includes(one));
  if (missed.length === 0) return;
  const message = `--fail-on ${missed.join()} needs parts that were read with --status ${missed.join()}; nothing was joined`;
  throw usageError('other_parts', message);
}

function refuseContradictions(session: Session, given: Omit<CheckRequest, 'scope' | 'organization'>): void {
  const { report, reportFile, baselineFile, changeRequest, updateBaseline, failOn } = given;
  const refuse = (message: string) => usageError('contradiction', message);
  if (reportFile !== undefined && report === undefined)
    throw refuse(`--report-file requires --report: ${reportFormats.join(', ')}`);
  if (report !== undefined && reportFile === undefined && asksForFormat(session))
    throw refuse(
      `${flagOf(session)} replaces the list; remove the flags that format the list, or add --report-file`,
    );
  if (!updateBaseline) return;
  if (baselineFile === undefined) throw refuse('--update-baseline requires --baseline: the file to write');
  if (failOn.length > 0)
    throw refuse('--update-baseline accepts every finding, so --fail-on could never fail; use one of them');
  if (changeRequest !== undefined)
    throw refuse(
      '--update-baseline cannot be combined with --change-request: a baseline describes published content',
    );
}

/** The format of the report that is asked for in place of the list: of `-o`, or of the `--report` of earlier versions. */
function formatOf({ settings }: Session, options: ManualInput['options']): ReportFormat | undefined {
  const asked = options.report ?? settings.output?.value;
  return reportFormats.find((format) => format === asked);
}

/** How the report was asked for. */
function flagOf({ settings: { output } }: Session): string {
  const format = reportFormats.find((one) => one === output?.value);
  return format === undefined ? '--report' : `-o ${format}`;
}

/** Whether a format of the list was asked for, which a report on standard output would ignore. */
function asksForFormat(session: Session): boolean {
  const { output, fields } = session.settings;
  const isOther = output?.source === 'flag' && !(reportFormats as readonly string[]).includes(output.value);
  return isStructured(session) || isOther || fields?.source === 'flag';
}

async function whereOf(
  session: Session,
  scope: Scope,
  changeRequest: string | undefined,
): Promise<Pick<CheckRequest, 'scope' | 'organization'>> {
  if (changeRequest !== undefined) {
    if (scope.collections.length + scope.sites.length > 0 || scope.spaces.length > 1)
      throw usageError('contradiction', '--change-request takes one --space and no --collection or --site');
    const space = scope.spaces[0] ?? (await contextId(session, 'space'));
    return { scope: { spaces: [space], collections: [], sites: [] }, organization: '' };
  }
  const needed = isWhole(scope) || scope.sites.length > 0;
  return { scope, organization: needed ? await contextId(session, 'org') : '' };
}
