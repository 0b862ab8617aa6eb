import { readImpact } from '../../access/impact/impact.js';
import { readMoved, transferSteps } from '../../access/impact/moved.js';
import {
  type Impact,
  type ImpactAction,
  type ImpactAspect,
  impactAspects,
} from '../../access/impact/shapes.js';
import { readTransfer, type TransferRead } from '../../access/impact/transfer.js';
import { DocsError, sentences, usageError } from '../../base/errors.js';
import { placeFacts } from '../../cli/run/report-page.js';
import type { Report, ReportForm, ReportRequest, View } from '../../cli/run/run-report.js';
import { counted, safeLine } from '../../output/text.js';
import { notAllRead, notReadLines, type Reading, unreadFacts } from '../../snapshot/unread.js';
import { type ImpactRequest, requestOf, withList } from './request.js';

/** `docs impact`: reads what a change would break, and says it; with findings where that was asked for. */

const rowView: View = {
  columns: [
    { path: 'aspect' },
    { path: 'kind' },
    { path: 'what', keep: true },
    { path: 'where' },
    { path: 'becomes' },
    { path: 'id', as: 'id' },
  ],
  fields: ['aspect', 'kind', 'what', 'where', 'becomes', 'id'],
  empty: 'Nothing was found.',
};

interface Looked {
  request: ImpactRequest;
  impact: Impact;
  /** Of a transfer, what it moves. */
  moved?: TransferRead['moved'];
}

const words = () => import('./document.js');

/** What all of them say. Partial (exit 3) where something could not be read. */
const said: Omit<Report<Looked>, 'read' | 'end'> = {
  isTextInPipes: true,
  rowView,
  document: async ({ impact }) => (await words()).impactDocument(impact),
  page: async ({ request: { session, organization }, impact }) =>
    (await words()).impactPage(impact, placeFacts(session, organization)),
  drawn: async ({ impact }) => (await words()).impactDrawn(impact),
  rows: async ({ impact }) => (await words()).rowsOf(impact),
  value: ({ impact }) => ({ ...impact, unknown: impact.unknown.map(unreadFacts) }),
};

/** `docs impact delete|move|rename`. */
export function impactReport(action: Exclude<ImpactAction, 'transfer'>): Report<Looked> {
  return {
    ...said,
    async read(asked) {
      const request = await requestOf(asked.session, asked.input, action);
      return { request, impact: await read(asked, request) };
    },
    end: ({ impact, request }, { form }) => ({
      warnings: warningsOf(impact, form),
      failure: failureOf(impact, request.failOn),
    }),
  };
}

/** Text and pages have a section of what was not read. */
function warningsOf({ unknown }: Impact, form: ReportForm): string[] {
  return form === 'rows' ? notReadLines(unknown) : [];
}

function read(asked: ReportRequest, request: ImpactRequest): Promise<Impact> {
  const { question, aspects } = request;
  return lookWith(asked, request, (reading, onSpace) => readImpact(reading, question, { aspects, onSpace }));
}

/** Connects and looks, showing how far that is. @throws DocsError as the look, as `withList` */
async function lookWith<T>(
  asked: ReportRequest,
  request: ImpactRequest,
  look: (reading: Reading, onSpace: (done: number, of: number) => void) => Promise<T>,
): Promise<T> {
  const reading = await asked.reading(request.organization);
  // A new name or path gives nobody another role, so nobody's is read.
  const readsPeople = request.question.action !== 'rename' && request.aspects.includes('people');
  let total = 0;
  return asked
    .progress('Looking up the effects', (progress) =>
      look(reading, (done, of) => {
        if (total === 0) progress.next('Reading links', of);
        total = of;
        progress.count(done);
        if (done >= of && readsPeople) progress.next('Reading who has access');
      }),
    )
    .catch((cause: unknown) => {
      throw withList(cause, request);
    });
}

const nouns: Readonly<Record<ImpactAspect, readonly [one: string, many: string]>> = {
  links: ['link', 'links'],
  urls: ['URL', 'URLs'],
  dependents: ['dependent', 'dependents'],
  people: ['change of access', 'changes of access'],
};

/** `12 URLs, 3 links`, of what was found. */
export function foundWords(impact: Impact, aspects: readonly ImpactAspect[] = impact.looked): string {
  const found = aspects.filter((aspect) => impact[aspect].length > 0);
  return found.map((aspect) => counted(impact[aspect].length, ...nouns[aspect])).join(', ');
}

/**
 * The failure of a look: findings where `--fail-on` names what was found, or where the platform will refuse the
 * change, whatever was not read; else partial if something was not read.
 */
function failureOf(impact: Impact, failOn: readonly ImpactAspect[]): DocsError | undefined {
  const { unknown } = impact;
  const found = Object.fromEntries(impact.looked.map((aspect) => [aspect, impact[aspect].length]));
  const details = { found, unread: unknown.map(unreadFacts) };
  const words = foundWords(impact, failOn);
  const not = unknown.length === 0 ? '' : `; ${counted(unknown.length, 'read')} failed`;
  if (words !== '') return new DocsError('findings', 'impact_found', `found ${words}${not}`, { details });
  const refused = impact.dependents.find((one) => one.refused === true);
  if (refused !== undefined)
    return new DocsError('findings', 'change_refused', `the platform will refuse it: ${refused.what}`, {
      details: { ...details, refused },
    });
  if (unknown.length === 0) return undefined;
  const message = `${counted(unknown.length, 'thing')} could not be read, so more may break than is shown`;
  return notAllRead(message, { unread: unknown, details });
}

/**
 * `docs impact transfer`: with `--save-plan` hands the transfer on as a plan, unless `--fail-on` finds something.
 * Forbidden `transfer_refused` with `--save-plan` where the platform would refuse it.
 */
export const transferReport: Report<Looked> = {
  ...said,
  async read(asked) {
    const { session, input } = asked;
    const perSpace = input.options.perSpace === true;
    if (perSpace && input.args.kind !== 'collection')
      throw usageError('contradiction', `--per-space is for collection, not for ${String(input.args.kind)}`);
    const request = await requestOf(session, input, 'transfer');
    return { request, ...(await readBoth(asked, request, perSpace)) };
  },
  async end({ request, impact, moved }, { session, form }) {
    const warnings = warningsOf(impact, form);
    const failure = failureOf(impact, request.failOn);
    if (session.savePlan === undefined) return { warnings, failure };
    if (failure?.kind === 'findings') return { warnings, failure: withoutPlan(failure) };
    if (moved !== undefined) await keepPlan(request, { impact, moved });
    return { warnings, failure };
  },
};

/** Findings that keep the plan from being saved: a script that stops at them must not find one to apply. */
function withoutPlan(findings: DocsError): DocsError {
  return findings.changed({}, sentences(findings.message, 'No plan was saved, because of --fail-on'));
}

/** Reads what the transfer breaks. With `perSpace`, collections stand for the spaces in them. */
function readBoth(asked: ReportRequest, request: ImpactRequest, perSpace: boolean): Promise<TransferRead> {
  const { question, aspects } = request;
  return lookWith(asked, request, async (reading, onSpace) => {
    if (!perSpace) return readTransfer(reading, question, { aspects, onSpace });
    const { spaces, unknown } = await readMoved(reading, question.things);
    const things = spaces.map(({ id }) => ({ object: 'space' as const, id }));
    const read = await readTransfer(reading, { ...question, things }, { aspects, onSpace });
    read.impact.unknown.push(...unknown);
    return read;
  });
}

/** Saves the plan: what cannot be undone is the first of its risks. */
async function keepPlan(
  { session, organization, question }: ImpactRequest,
  { impact, moved }: TransferRead,
): Promise<void> {
  const refusal = impact.dependents.find(({ kind }) => kind === 'refusal');
  if (refusal !== undefined)
    throw new DocsError('forbidden', 'transfer_refused', sentences(refusal.what, 'No plan was saved'), {
      outcome: 'not-sent',
      hint: `docs orgs get ${refusal.id}`,
    });
  const [{ planOf, savedText }, { countsOf, summaryOf }, { writePlan }] = await Promise.all([
    import('../../cli/run/save-plan.js'),
    import('../../access/impact/summary.js'),
    import('../../plans/file.js'),
  ]);
  const { savePlan: file = '', io } = session;
  const steps = transferSteps(moved, organization, question.to?.organization ?? '');
  const titles = Object.fromEntries(impact.things.map(({ id, title }) => [id, title]));
  const told = new Set(['irreversible'] as const);
  const risks = [...impact.irreversible, ...summaryOf(impact, { told })].map(safeLine);
  const missing = impactAspects.filter((aspect) => !impact.looked.includes(aspect));
  if (missing.length > 0) risks.push(`Not looked at: ${missing.join(', ')}.`);
  // Counts of what was not looked at would be wrong.
  const found = { risks, impact: missing.length > 0 ? null : countsOf(impact) };
  const plan = await planOf(session, { command: 'impact transfer', steps, titles, ...found });
  await writePlan(io, file, plan);
  session.printer.note(await savedText(session, plan, file));
}
