import { resolve } from 'node:path';
import { type LinkStatus, linkStatuses } from '../../access/links/reference.js';
import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { isStructured } from '../../cli/run/output-form.js';
import { isWhole, type Scope } from '../../snapshot/spaces.js';
import { type ReportFormat, reportFormats } from '../../workflows/link-check/finding.js';

/** What a check was asked to do, from what was typed. */
export interface CheckRequest {
  scope: Scope;
  organization: string;
  changeRequest?: string;
  /** In the order of the known ones; those of `failOn` are among them. */
  statuses: readonly LinkStatus[];
  failOn: readonly LinkStatus[];
  concurrency: number;
  report?: ReportFormat;
  /** Absolute path. */
  reportFile?: string;
  /** Absolute path. */
  baseline?: string;
  updateBaseline: boolean;
}

/**
 * Reads and checks the flags; nothing is sent.
 * @throws DocsError usage if flags contradict each other or a value is unknown
 */
export async function requestOf(session: Session, input: ManualInput): Promise<CheckRequest> {
  const { options } = input;
  const one = (name: string) => options[name] as string | undefined;
  const many = (name: string) => (options[name] as string[] | undefined) ?? [];
  const failOn = linkStatuses.filter((status) => many('failOn').includes(status));
  const statuses = lookedFor(input);
  const report = reportFormats.find((format) => format === options.report);
  const changeRequest = one('changeRequest');
  const [reportFile, baseline] = [one('reportFile'), one('baseline')];
  const updateBaseline = options.updateBaseline === true;
  refuseContradictions(session, { report, reportFile, baseline, changeRequest, updateBaseline, failOn });
  const scope = { spaces: many('space'), collections: many('collection'), sites: many('site') };
  return {
    ...(await whereOf(session, scope, changeRequest)),
    statuses,
    failOn,
    concurrency: concurrencyOf(input),
    updateBaseline,
    ...defined({
      report,
      reportFile: reportFile && resolve(session.io.cwd, reportFile),
      baseline: baseline && resolve(session.io.cwd, baseline),
    }),
  };
}

/** What is looked for, in the order of the known ones: `--status`, and what `--fail-on` names. */
export function lookedFor({ options: { status = ['broken'], failOn = [] } }: ManualInput): LinkStatus[] {
  const asked = [status, failOn].flat() as string[];
  return linkStatuses.filter((one) => asked.includes(one));
}

/** @throws DocsError usage `other_parts` where parts were not read for what `--fail-on` names */
export function requireRead({ options: { status } }: ManualInput, wanted: readonly LinkStatus[]): void {
  const missed = wanted.filter((one) => !((status as string[] | undefined) ?? ['broken']).includes(one));
  if (missed.length === 0) return;
  const message = `--fail-on ${missed.join()} needs parts that were read with --status ${missed.join()}; nothing was joined`;
  throw usageError('other_parts', message);
}

interface Given {
  report: string | undefined;
  reportFile: string | undefined;
  baseline: string | undefined;
  changeRequest: string | undefined;
  updateBaseline: boolean;
  failOn: readonly LinkStatus[];
}

function refuseContradictions(session: Session, given: Given): void {
  const { report, reportFile, baseline, changeRequest, updateBaseline, failOn } = given;
  const refuse = (message: string) => usageError('contradiction', message);
  if (reportFile !== undefined && report === undefined)
    throw refuse(`--report-file requires --report: ${reportFormats.join(', ')}`);
  if (report !== undefined && reportFile === undefined && asksForFormat(session))
    throw refuse('--report replaces the list; remove the flags that format the list, or add --report-file');
  if (!updateBaseline) return;
  if (baseline === undefined) throw refuse('--update-baseline requires --baseline: the file to write');
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
): Promise<Pick<CheckRequest, 'scope' | 'organization' | 'changeRequest'>> {
  if (changeRequest !== undefined) {
    if (scope.collections.length + scope.sites.length > 0 || scope.spaces.length > 1)
      throw usageError('contradiction', '--change-request takes one --space and no --collection or --site');
    const space = scope.spaces[0] ?? (await contextId(session, 'space'));
    return { scope: { spaces: [space], collections: [], sites: [] }, organization: '', changeRequest };
  }
  const needed = isWhole(scope) || scope.sites.length > 0;
  return { scope, organization: needed ? await contextId(session, 'org') : '' };
}
