import { resolve } from 'node:path';
import {
  type Finding,
  type LinkFindings,
  type ReportFormat,
  reportFormats,
} from '../../access/links/finding.js';
import {
  type CheckPlan,
  failureOf,
  LinkCheck,
  type Report,
  readBaseline,
  type Tally,
  tallyWords,
  writeBaseline,
} from '../../access/links/link-check.js';
import type { DrawnBeside } from '../../access/links/read-graph.js';
import { type LinkStatus, linkStatuses } from '../../access/links/reference.js';
import { usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { isStructured, wantsText, warnReader } from '../../cli/run/output.js';
import { placeFacts, type ReportPage, reportPage } from '../../cli/run/report-page.js';
import { originOf } from '../../cli/run/session-job.js';
import { type Own, withShards } from '../../cli/run/shards.js';
import type { Labelled } from '../../document/document.js';
import type { Page, View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { counted } from '../../output/text.js';
import { isWhole, type Scope } from '../../snapshot/spaces.js';
import { notReadLines } from '../../snapshot/unread.js';
import { recordRun } from '../shared/last-runs.js';
import { groupedText, openReport, piecesOf, writeReport } from './reports.js';

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
  const asked = typed.options.merge === undefined ? lookedFor(typed) : status;
  const flags = { space, collection, site, status: asked };
  await withShards(session, typed, { command: 'links check', flags, extras }, (own) => checkOwn(own, view));
}

async function checkOwn({ session, input, shard, readAt, has }: Own, view: View): Promise<void> {
  const page = await checkPage(session, input);
  const request = await requestOf(session, input);
  const { report, baselineFile: path, updateBaseline, statuses } = request;
  if (readAt !== undefined) requireRead(input, statuses);
  if (report !== undefined && session.sorts)
    throw usageError(
      'contradiction',
      '--sort-by and --report contradict each other; a report has an order of its own.',
    );
  await session.printer.check(view);
  const baseline = path === undefined ? new Map() : await readBaseline(path, updateBaseline);
  const check = new LinkCheck({
    ...{ ...request, baseline, shard, drawing: page?.drawing },
    readsAll: has('page') || undefined,
  });
  const run = { session, view, request, check, page, readAt };
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

async function* pagesOf(looks: AsyncIterable<LinkFindings>): AsyncGenerator<Page> {
  for await (const { findings } of looks) if (findings.length > 0) yield { items: findings, next: 'more' };
}

/** Runs the check, showing its progress while nothing is printed. Connects at the first read. */
async function* looksOf(
  { session, request, check, page }: Run,
  quiet = session.globals.quiet ?? false,
): AsyncGenerator<LinkFindings> {
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

/** `--html` of a check: what it gathers while the check runs. */
interface CheckPage extends Pick<ReportPage, 'left'> {
  drawing: DrawnBeside;
  findings: Finding[];
  /** @throws DocsError as `writeReport` */
  write(tally: Tally, request: CheckRequest): Promise<void>;
}

/** @returns undefined without the flag @throws DocsError as `reportPage` */
async function checkPage(session: Session, input: ManualInput): Promise<CheckPage | undefined> {
  const page = await reportPage(session, input, ['report-file', 'baseline']);
  if (page === undefined) return undefined;
  const [{ DrawnBeside }, { checkReport }] = await Promise.all([
    import('../../access/links/read-graph.js'),
    import('./page.js'),
  ]);
  const drawing = new DrawnBeside();
  const findings: Finding[] = [];
  return {
    drawing,
    findings,
    left: (cause) => page.left(cause),
    async write(tally, request) {
      const graph = await drawing.finish(tally.unread);
      const { statuses } = request;
      const facts = [...placeFacts(session, request.organization), scopeFact(request)];
      await page.write(checkReport({ findings, tally, statuses, graph }, facts));
    },
  };
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
    report: reportFormats.find((format) => format === options.report),
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
    throw refuse('--report replaces the list; remove the flags that format the list, or add --report-file');
  if (!updateBaseline) return;
  if (baselineFile === undefined) throw refuse('--update-baseline requires --baseline: the file to write');
  if (failOn.length > 0)
    throw refuse('--update-baseline accepts every finding, so --fail-on could never fail; use one of them');
  if (changeRequest !== undefined)
    throw refuse(
      '--update-baseline cannot be combined with --change-request: a baseline describes published content',
    );
}

/** Whether a format of the list was asked for, which a report on standard output would ignore. */
function asksForFormat(session: Session): boolean {
  const { output, fields } = session.settings;
  return isStructured(session) || [output, fields].some((set) => set?.source === 'flag');
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
